import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { schemaProblem } from './arguments'
import { type CommandDeps, commandPlaces, runStored } from './commands'
import type { CommandTool, toolCalls } from './contract'
import { keepSecrets, masked } from './kept-secrets'
import { secretNamesIn } from './mcp/read-servers-json'
import { readCall } from './read-call'
import { commandTools, putCommand, removeCommand } from './repository'
import { HIDDEN } from './secret-places'
import { listShortcuts } from './shortcuts'
import type { ToolRoomDeps } from './tool-room'

type CommandHandlers = Pick<
  Handlers<typeof toolCalls>,
  'commands.list' | 'commands.save' | 'commands.remove' | 'commands.test' | 'commands.shortcuts'
>

const shown = (command: CommandTool): CommandTool => ({
  ...command,
  ...masked({ env: command.env, argv: command.argv }, commandPlaces(command.secretNames)),
})

const NO_ARGUMENTS = { type: 'object', properties: {} }

export function commandHandlers(
  deps: Pick<ToolRoomDeps, 'database' | 'emit' | 'ids' | 'nowIso' | 'clock'> & CommandDeps,
): CommandHandlers {
  const { database, emit } = deps
  const find = (id: string): CommandTool => {
    const command = commandTools(database).find((candidate) => candidate.id === id)
    if (!command) throw new AppError('not_found', 'This command is gone.')
    return command
  }
  return {
    'commands.list': () => commandTools(database).map(shown),
    'commands.save': async (input) => {
      const old = input.id === undefined ? undefined : find(input.id)
      const name = input.name ?? old?.name
      const argv = input.argv ?? old?.argv
      if (name === undefined || argv === undefined)
        throw new AppError('bad_input', 'A new command needs a name and a command line.')
      const schema = input.schema ?? old?.schema ?? NO_ARGUMENTS
      const problem = schemaProblem(schema)
      if (problem !== undefined) throw new AppError('bad_input', problem, { details: { path: 'schema' } })
      const env = input.env ?? old?.env ?? {}
      const asked = input.secretNames ?? [...(old?.secretNames ?? []), ...secretNamesIn(env)]
      // One shown as dots was a secret before, whatever the window says of it now.
      const secretNames = Object.keys(env).filter((name) => asked.includes(name) || env[name] === HIDDEN)
      const given = { value: { env, argv }, places: commandPlaces(secretNames) }
      const command: CommandTool = {
        ...masked(given.value, given.places),
        secretNames,
        id: old?.id ?? deps.ids(),
        name,
        description: input.description ?? old?.description ?? '',
        schema,
        workingFolder: input.workingFolder === undefined ? (old?.workingFolder ?? null) : input.workingFolder,
        timeoutSeconds: input.timeoutSeconds ?? old?.timeoutSeconds ?? 30,
        outputLimitBytes: input.outputLimitBytes ?? old?.outputLimitBytes ?? 200_000,
        enabled: input.enabled ?? old?.enabled ?? true,
      }
      putCommand(database, command, deps.nowIso())
      const before = old && { value: { env: old.env, argv: old.argv }, places: commandPlaces(old.secretNames) }
      await keepSecrets(deps.secrets, `command/${command.id}`, given, before)
      emit('tools.changed', { ids: [`command/${command.id}`] })
      return command
    },
    'commands.remove': ({ id }) => {
      const removed = removeCommand(database, id)
      deps.secrets.remove(`command/${id}`)
      emit('tools.changed', { ids: [`command/${id}`] })
      return { removed }
    },
    'commands.test': async ({ id, arguments: given }) => {
      const command = find(id)
      // as the model's calls are read: what it would be told, a person is told
      const read = readCall(command, given)
      if ('problem' in read) return { outcome: 'failed', output: read.problem, elapsedMs: 0 }
      const began = deps.clock()
      const { outcome, text } = await runStored(deps, command, read.given, {
        signal: AbortSignal.timeout(600_000),
      })
      return { outcome, output: text, elapsedMs: deps.clock() - began }
    },
    'commands.shortcuts': () => listShortcuts(process.platform),
  }
}
