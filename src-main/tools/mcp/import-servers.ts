import type { McpServer } from '../contract'
import { masked } from '../kept-secrets'
import type { McpServers } from './mcp-servers'
import { type ReadServer, readServersJson } from './read-servers-json'
import { serverPlaces } from './server-fields'

/** A server as it would be added, its secrets hidden: a dry run is shown, and nothing shown holds a secret. */
function draft({ secretNames, transport, ...server }: ReadServer): McpServer {
  const shown = masked(transport, serverPlaces(secretNames))
  return { id: '', ...server, transport: shown, secretNames, selectedForChat: true, state: 'stopped' }
}

/** Adds what the usual JSON names; a name that is there already is skipped with a reason, upper or lower case. */
export async function importServers(
  servers: McpServers,
  json: string,
  dryRun: boolean,
): Promise<{ servers: McpServer[]; skipped: { name: string; reason: string }[] }> {
  const { servers: read, skipped } = readServersJson(json)
  const known = new Set(servers.list().map((server) => server.name.toLowerCase()))
  const added: McpServer[] = []
  for (const server of read) {
    const name = server.name.trim().toLowerCase()
    if (known.has(name)) {
      skipped.push({ name: server.name, reason: 'A server with this name is there already.' })
      continue
    }
    known.add(name)
    added.push(dryRun ? draft(server) : await servers.save(server))
  }
  return { servers: added, skipped }
}
