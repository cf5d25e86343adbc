import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

const stateSchema = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().min(400),
  height: z.number().min(300),
  maximized: z.boolean(),
})
export type WindowState = z.infer<typeof stateSchema>

/** In logical pixels. */
export const FIRST_SIZE = { width: 1280, height: 820 }

/** Undefined on the first start, after damage, or when the remembered place is on no screen any more. */
export function readWindowState(dataDir: string, screens: readonly Bounds[]): WindowState | undefined {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(dataDir, 'window.json'), 'utf8'))
  } catch {
    return undefined
  }
  const state = stateSchema.safeParse(value)
  if (!state.success) return undefined
  return screens.some((screen) => showsTitleBar(state.data, screen)) ? state.data : undefined
}

export function writeWindowState(dataDir: string, state: WindowState): void {
  writeFileSync(join(dataDir, 'window.json'), `${JSON.stringify(state)}\n`, { mode: 0o600 })
}

/** At least 100 pixels of the upper edge must be within reach of the pointer. */
function showsTitleBar(window: Bounds, screen: Bounds): boolean {
  const overlap = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  return overlap >= 100 && window.y >= screen.y - 10 && window.y <= screen.y + screen.height - 50
}
