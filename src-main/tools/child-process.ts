import { type ChildProcess, spawn } from 'node:child_process'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'

/** Language, time and temporary folder: what programs need beside the home folder and the path, and no secret. */
const ALSO_SAFE = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY']

/**
 * The environment of programs a person added: a short list of harmless variables, never the app's whole own one, which
 * may hold keys meant for something else.
 */
export function safeEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  const also = ALSO_SAFE.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...getDefaultEnvironment(), ...Object.fromEntries(also), ...own }
}

/** On POSIX a program leads a group of its own, so that its children end with it. */
export const OWN_GROUP = process.platform !== 'win32'

/** Ends a program and its children; one that has ended already is left in peace. */
export function endTree(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child
  if (pid === undefined) return
  if (!OWN_GROUP) {
    // Windows has no groups to signal; taskkill walks the tree.
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on('error', () =>
      child.kill(signal),
    )
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // ESRCH: gone. EPERM: macOS says so of a group whose last process is just ending.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
