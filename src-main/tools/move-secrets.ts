import type { WriteDatabase } from '../storage/database'
import { commandPlaces } from './commands'
import { keepSecrets, masked, type SecretStore } from './kept-secrets'
import { serverPlaces } from './mcp/server-fields'
import { commandTools, putCommand, putServer, storedServers } from './repository'
import { HIDDEN } from './secret-places'

/** Rows from before secrets were kept apart: what looks like one goes to the key store, dots stay. */
export async function moveSecrets(database: WriteDatabase, store: SecretStore, now: string): Promise<void> {
  for (const server of storedServers(database)) {
    const places = serverPlaces(server.secretNames)
    // An empty one is in the key store already.
    const value = places(server.transport, (_place, secret) => (secret === '' ? HIDDEN : secret))
    const given = { value, places }
    const transport = masked(value, places)
    if (JSON.stringify(transport) === JSON.stringify(value)) continue
    await keepSecrets(store, `mcp/${server.id}`, given)
    putServer(database, { ...server, transport }, now)
  }
  for (const command of commandTools(database)) {
    const given = { value: { env: command.env, argv: command.argv }, places: commandPlaces(command.secretNames) }
    const kept = masked(given.value, given.places)
    if (JSON.stringify(kept) === JSON.stringify(given.value)) continue
    await keepSecrets(store, `command/${command.id}`, given)
    putCommand(database, { ...command, ...kept }, now)
  }
}
