import type { SlashEntry } from '../composer/slash-entry'
import { useTools } from './tool-store'
import { openToolDialog } from './tool-view-store'

/** The texts that running servers offer, for the `/` menu of the message field. */
export function promptEntries(): SlashEntry[] {
  const running = useTools.getState().servers.filter((server) => server.enabled && server.state === 'ready')
  return running.flatMap((server) =>
    (server.prompts ?? []).map(({ name, description }) => ({
      id: `mcp/${server.id}/${name}`,
      name,
      note: description ? `${server.name} · ${description}` : server.name,
      onSelect: () => openToolDialog({ kind: 'prompt', server, prompt: name }),
    })),
  )
}
