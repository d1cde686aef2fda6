/** Runs before each test file: the test fails that sent a statement against the rules, or the next if a job sent it. */
import { loadModule } from 'libpg-query'
import { afterAll, afterEach, inject } from 'vitest'
import { assertNoViolations, checkStatements } from './check-statements.ts'

const globalState = globalThis as { aldabaStatementsAreWatched?: boolean }

// Modules are loaded once for many files, and this one anew for each.
if (!globalState.aldabaStatementsAreWatched) {
  globalState.aldabaStatementsAreWatched = true
  await loadModule()
  checkStatements(inject('schema'))
}

afterEach(assertNoViolations)
afterAll(assertNoViolations)
