import { argumentProblem, parsedArguments } from './arguments'
import { mendArguments } from './mend-arguments'
import type { Tool } from './tool'

/** The arguments a tool may run with, or what to tell the model. */
export function readCall(
  tool: Pick<Tool, 'schema' | 'mainArgument'>,
  asked: unknown,
): { given: Record<string, unknown> } | { problem: string } {
  const value = parsedArguments(asked)
  if (tool.mainArgument !== undefined && (typeof value === 'string' || Array.isArray(value)))
    return { given: { [tool.mainArgument]: value } }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const given = isObject ? (value as Record<string, unknown>) : undefined
  if (given && tool.mainArgument !== undefined) return { given }
  const problem = given ? argumentProblem(tool.schema, given) : undefined
  if (given && problem === undefined) return { given }
  const mended = mendArguments(tool.schema, value)
  if (mended) return { given: mended }
  return given
    ? { problem: `The arguments do not fit: ${problem}. Correct them and call again.` }
    : { problem: 'The arguments are no JSON object. Send them again as one.' }
}
