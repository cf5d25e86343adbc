import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson } from '../storage/stored-json'
import type { CommandTool, McpServer, ToolPolicy } from './contract'
import { secretNamesIn } from './mcp/read-servers-json'

export interface ToolSetting {
  enabled: boolean | null
  policy: ToolPolicy | null
  description: string | null
}

interface SettingRow {
  tool_id: string
  enabled: number | null
  policy: ToolPolicy | null
  description: string | null
}

export function toolSettings(database: ReadDatabase): Map<string, ToolSetting> {
  const rows = database.prepare<[], SettingRow>('SELECT * FROM tool_setting').all()
  return new Map(
    rows.map((row) => [
      row.tool_id,
      { enabled: row.enabled === null ? null : row.enabled === 1, policy: row.policy, description: row.description },
    ]),
  )
}

/** Absent fields stay as they are; an empty description goes back to the tool's own. */
export function putToolSetting(
  database: WriteDatabase,
  toolId: string,
  patch: { enabled?: boolean | undefined; policy?: ToolPolicy | undefined; description?: string | undefined },
): void {
  const old = toolSettings(database).get(toolId)
  const enabled = patch.enabled ?? old?.enabled ?? null
  const description = patch.description === '' ? null : (patch.description ?? old?.description ?? null)
  database
    .prepare('INSERT OR REPLACE INTO tool_setting VALUES (?, ?, ?, ?)')
    .run(toolId, enabled === null ? null : Number(enabled), patch.policy ?? old?.policy ?? null, description)
}

/** A stored server. Secret values in its transport are empty: they live in the key store. */
export type StoredServer = Pick<McpServer, 'id' | 'name' | 'transport' | 'secretNames' | 'selectedForChat' | 'enabled'>

interface ServerRow {
  id: string
  name: string
  transport: string
  secret_names: string
  selected: number
  enabled: number
}

export function storedServers(database: ReadDatabase): StoredServer[] {
  return database
    .prepare<[], ServerRow>('SELECT * FROM mcp_server ORDER BY name')
    .all()
    .map((row) => ({
      id: row.id,
      name: row.name,
      transport: JSON.parse(row.transport) as McpServer['transport'],
      secretNames: storedJson<string[]>(row.secret_names, []),
      selectedForChat: row.selected === 1,
      enabled: row.enabled === 1,
    }))
}

export function putServer(database: WriteDatabase, server: StoredServer, at: string): void {
  const clash = database
    .prepare<[string, string], { id: string }>('SELECT id FROM mcp_server WHERE name = ? COLLATE NOCASE AND id <> ?')
    .get(server.name, server.id)
  if (clash) {
    throw new AppError(
      'conflict',
      said`There is a server named “${server.name}” already. Give this one another name, or edit that one.`,
      {
        details: { path: 'name' },
      },
    )
  }
  database
    .prepare(
      `INSERT INTO mcp_server (id, name, transport, secret_names, selected, enabled, created_at)
       VALUES (@id, @name, @transport, @secrets, @selected, @enabled, @at)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, transport = excluded.transport,
         secret_names = excluded.secret_names, selected = excluded.selected, enabled = excluded.enabled`,
    )
    .run({
      id: server.id,
      name: server.name,
      transport: JSON.stringify(server.transport),
      secrets: JSON.stringify(server.secretNames),
      selected: Number(server.selectedForChat),
      enabled: Number(server.enabled),
      at,
    })
}

/** The tools a server listed last, so that they stay configured while it is down. JSON text, null = never listed. */
export function knownTools(database: ReadDatabase, id: string): unknown {
  const row = database
    .prepare<[string], { known_tools: string | null }>('SELECT known_tools FROM mcp_server WHERE id = ?')
    .get(id)
  return storedJson<unknown[]>(row?.known_tools ?? '[]', [])
}

export function putKnownTools(database: WriteDatabase, id: string, tools: unknown): void {
  database.prepare('UPDATE mcp_server SET known_tools = ? WHERE id = ?').run(JSON.stringify(tools), id)
}

export function removeServer(database: WriteDatabase, id: string): number {
  return database.transaction(() => {
    for (const table of ['tool_setting', 'tool_approval']) {
      database.prepare(`DELETE FROM ${table} WHERE tool_id LIKE 'mcp/' || ? || '/%'`).run(id)
    }
    return database.prepare('DELETE FROM mcp_server WHERE id = ?').run(id).changes
  })()
}

interface CommandRow {
  id: string
  name: string
  description: string
  schema: string
  argv: string
  working_folder: string | null
  env: string
  timeout_seconds: number
  output_limit: number
  enabled: number
  secret_names: string | null
}

export function commandTools(database: ReadDatabase): CommandTool[] {
  return database
    .prepare<[], CommandRow>('SELECT * FROM command_tool ORDER BY name')
    .all()
    .map(({ secret_names: secretNames, ...row }) => ({
      secretNames:
        secretNames === null ? secretNamesIn(storedJson(row.env, {})) : storedJson<string[]>(secretNames, []),
      id: row.id,
      name: row.name,
      description: row.description,
      schema: storedJson<unknown>(row.schema, {}),
      argv: storedJson<string[]>(row.argv, []),
      workingFolder: row.working_folder,
      env: storedJson<Record<string, string>>(row.env, {}),
      timeoutSeconds: row.timeout_seconds,
      outputLimitBytes: row.output_limit,
      enabled: row.enabled === 1,
    }))
}

export function putCommand(database: WriteDatabase, command: CommandTool, at: string): void {
  const clash = database
    .prepare<[string, string], { id: string }>('SELECT id FROM command_tool WHERE name = ? AND id <> ?')
    .get(command.name, command.id)
  if (clash)
    throw new AppError('conflict', said`There is a command named “${command.name}” already.`, {
      details: { path: 'name' },
    })
  database
    .prepare(
      `INSERT OR REPLACE INTO command_tool VALUES (@id, @name, @description, @schema, @argv, @folder, @env, @timeout, @limit,
         @enabled, @at, @secretNames)`,
    )
    .run({
      id: command.id,
      name: command.name,
      description: command.description,
      schema: JSON.stringify(command.schema),
      argv: JSON.stringify(command.argv),
      folder: command.workingFolder,
      env: JSON.stringify(command.env),
      timeout: command.timeoutSeconds,
      limit: command.outputLimitBytes,
      enabled: Number(command.enabled),
      at,
      secretNames: JSON.stringify(command.secretNames),
    })
}

export function removeCommand(database: WriteDatabase, id: string): number {
  for (const table of ['tool_setting', 'tool_approval']) {
    database.prepare(`DELETE FROM ${table} WHERE tool_id = ?`).run(`command/${id}`)
  }
  return database.prepare('DELETE FROM command_tool WHERE id = ?').run(id).changes
}
