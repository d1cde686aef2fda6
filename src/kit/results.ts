/** Work on many requests at once, of which each may be refused by itself. */
import { Problem } from './problem.ts'

/** Why a request is refused, or what was made of it. */
export type Result<T> = T | Problem

/** Returns the problem that `work` throws. */
export function attempt<T>(work: () => T): Result<T> {
  try {
    return work()
  } catch (error) {
    return toProblem(error)
  }
}

/** For `catch` of a promise. Throws what is no problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

/** Throws the problem of a refused request. */
export function getResult<T>(result: Result<T>): T {
  if (result instanceof Problem) throw result
  return result
}

export const selectAccepted = <T>(results: readonly Result<T>[]): T[] =>
  results.flatMap(result => (result instanceof Problem ? [] : [result]))

/** Takes a further step with all that were not refused; returns its results, in their order, and the former problems. */
export async function mapAccepted<T, R>(
  results: readonly Result<T>[],
  step: (accepted: T[]) => Promise<Result<R>[]> | Result<R>[],
): Promise<Result<R>[]> {
  const stepped = (await step(selectAccepted(results)))[Symbol.iterator]()
  return results.map(result => (result instanceof Problem ? result : stepped.next().value!))
}
