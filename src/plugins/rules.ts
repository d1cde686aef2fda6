/** Requirements of a contract as sentences, each with its test. */

/** A requirement and its test. A test that throws counts as failed. */
export type Rule<Subject> = readonly [sentence: string, isSatisfied: (subject: Subject) => unknown]

/** The sentences of the requirements that the subject does not satisfy. */
export function listBrokenRules<Subject>(rules: readonly Rule<Subject>[], subject: Subject): string[] {
  return rules.filter(([, isSatisfied]) => !isTrue(() => isSatisfied(subject))).map(([sentence]) => sentence)
}

export function isSubsetOf(values: readonly string[], allowed: readonly string[]): boolean {
  return values.length > 0 && values.every(value => allowed.includes(value))
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

export function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

export function isTrue(isSatisfied: () => unknown): boolean {
  try {
    return Boolean(isSatisfied())
  } catch {
    return false
  }
}
