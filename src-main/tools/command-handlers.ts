import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { schemaProblem } from './arguments'
import { runCommand } from './commands'
import type { CommandTool, toolCalls } from './contract'
import { commandTools, putCommand, removeCommand } from './repository'
import { listShortcuts } from './shortcuts'
import type { ToolRoomDeps } from './tool-room'

type CommandHandlers = Pick<
  Handlers<typeof toolCalls>,
  'commands.list' | 'commands.save' | 'commands.remove' | 'commands.test' | 'commands.shortcuts'
>

const NO_ARGUMENTS = { type: 'object', properties: {} }

export function commandHandlers(
  deps: Pick<ToolRoomDeps, 'database' | 'emit' | 'ids' | 'nowIso' | 'clock'>,
): CommandHandlers {
  const { database, emit } = deps
  const find = (id: string): CommandTool => {
    const command = commandTools(database).find((candidate) => candidate.id === id)
    if (!command) throw new AppError('not_found', 'This command is gone.')
    return command
  }
  return {
    'commands.list': () => commandTools(database),
    'commands.save': (input) => {
      const old = input.id === undefined ? undefined : find(input.id)
      const schema = input.schema ?? old?.schema ?? NO_ARGUMENTS
      const problem = schemaProblem(schema)
      if (problem !== undefined) throw new AppError('bad_input', problem, { details: { path: 'schema' } })
      const command: CommandTool = {
        id: old?.id ?? deps.ids(),
        name: input.name,
        description: input.description,
        schema,
        argv: input.argv,
        workingFolder: input.workingFolder === undefined ? (old?.workingFolder ?? null) : input.workingFolder,
        env: input.env ?? old?.env ?? {},
        timeoutSeconds: input.timeoutSeconds ?? old?.timeoutSeconds ?? 30,
        outputLimitBytes: input.outputLimitBytes ?? old?.outputLimitBytes ?? 200_000,
        enabled: input.enabled ?? old?.enabled ?? true,
      }
      putCommand(database, command, deps.nowIso())
      emit('tools.changed', { ids: [`command/${command.id}`] })
      return command
    },
    'commands.remove': ({ id }) => {
      const removed = removeCommand(database, id)
      emit('tools.changed', { ids: [`command/${id}`] })
      return { removed }
    },
    'commands.test': async ({ id, arguments: given }) => {
      const began = deps.clock()
      const { outcome, text } = await runCommand(find(id), given, AbortSignal.timeout(600_000))
      return { outcome, output: text, elapsedMs: deps.clock() - began }
    },
    'commands.shortcuts': () => listShortcuts(process.platform),
  }
}
