/** Where Node keeps the dispatcher its own `fetch` uses, and through it the class. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1')

type Dispatcher = NonNullable<RequestInit['dispatcher']>
type DispatcherClass = new (options: { headersTimeout: number; bodyTimeout: number }) => Dispatcher

let patient: Dispatcher | undefined

/**
 * A dispatcher that waits for a header and for the next piece as long as it takes: Node's own ends a request after 300 s
 * of silence, and a local model may read a long prompt for longer. It is of the same class as the one in force, so that
 * a proxy named in the environment stays. Undefined where there is none (a fetch that is not Node's).
 */
export function patientDispatcher(): Dispatcher | undefined {
  if (patient) return patient
  // touching it makes Node load its HTTP library, which puts the dispatcher in place
  void globalThis.Response
  const current: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER)
  if (typeof current !== 'object' || current === null) return undefined
  const DispatcherOfNode = current.constructor as DispatcherClass
  patient = new DispatcherOfNode({ headersTimeout: 0, bodyTimeout: 0 })
  return patient
}

/** The same request, ended by nobody's clock but the person's. */
export function patiently(init: RequestInit): RequestInit {
  const dispatcher = patientDispatcher()
  return dispatcher ? { ...init, dispatcher } : init
}
