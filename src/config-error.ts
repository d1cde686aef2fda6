/** A configuration that the program cannot start with. */
/** Reports all wrong values at once, each in a line that says what is expected. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`Aldaba can't start with this configuration:\n${problems.map(line => `  ${line}`).join('\n')}`)
    this.problems = problems
  }
}
