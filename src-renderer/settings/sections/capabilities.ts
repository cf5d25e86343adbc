import type { ModelCapabilities } from '../../../src-main/models/contract'

/** In the order they are shown. */
export const CAPABILITIES = [
  'tools',
  'vision',
  'pdf',
  'reasoning',
  'promptCache',
] as const satisfies readonly (keyof ModelCapabilities)[]
