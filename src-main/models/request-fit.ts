/**
 * How the requests to one model differ from what the app would send by itself: learned from refusals, remembered per
 * model on its connection. An empty fit changes nothing.
 */
export interface RequestFit {
  /** Fields of the body that are not sent, by their name on the wire, such as `stream_options`. */
  leaveOut?: readonly string[]
  /** Fields that are sent under another name: `max_tokens` as `max_completion_tokens`. */
  rename?: Readonly<Record<string, string>>
  /** An empty text in place of `content: null` beside tool calls. */
  emptyContent?: true
  /** Plain reasoning of earlier answers: demanded back on turns with tool calls, or refused. */
  reasoningBack?: 'demanded' | 'refused'
  /** A request must not end with the model's own words. */
  prefill?: false
}
