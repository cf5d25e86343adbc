import { AppError } from '../../ipc/app-error'
import { said } from '../../ipc/said-contract'

/**
 * Every vector passes here before it is stored: the vector index truncates or pads a wrong length without a word.
 * Returns it with unit norm. Throws `embedder.dimension`.
 */
export function checkedVector(values: ArrayLike<number>, dimensions: number | undefined): Float32Array {
  const vector = Float32Array.from(values)
  if (vector.length === 0 || (dimensions !== undefined && vector.length !== dimensions)) {
    throw new AppError(
      'embedder.dimension',
      said`The embedding model answered with ${vector.length} dimensions where ${dimensions ?? 'some'} were expected. Check the model's name in the memory settings, or build the index again.`,
    )
  }
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum) || sum < 1e-12) {
    throw new AppError(
      'embedder.dimension',
      'The embedding model answered with a vector of no length or with numbers that are none.',
    )
  }
  const scale = 1 / Math.sqrt(sum)
  return vector.map((value) => value * scale)
}
