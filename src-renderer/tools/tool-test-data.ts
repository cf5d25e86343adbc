import type { CommandTool, McpServer, ToolListing } from '../../src-main/tools/contract'

export function aTool(fields: Partial<ToolListing> = {}): ToolListing {
  return {
    id: 'mcp/s1/echo',
    origin: 'mcp',
    server: 'pier',
    name: 'echo',
    description: 'Echoes back the input string',
    schema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'Message to echo' } },
      required: ['message'],
    },
    enabled: true,
    configured: true,
    available: true,
    policy: 'ask',
    tokens: 55,
    ...fields,
  }
}

export function aServer(fields: Partial<McpServer> = {}): McpServer {
  return {
    id: 's1',
    name: 'pier',
    transport: { kind: 'stdio', command: 'npx', args: ['-y', 'server-files'], env: {} },
    secretNames: [],
    selectedForChat: true,
    enabled: true,
    state: 'ready',
    ...fields,
  }
}

export const aCommand: CommandTool = {
  id: 'c0',
  name: 'c0',
  description: '',
  schema: {},
  argv: [],
  workingFolder: null,
  env: {},
  secretNames: [],
  timeoutSeconds: 30,
  outputLimitBytes: 1000,
  enabled: true,
}
