/** Runs before each test file. A test that sent an invalid statement fails; if a job sent it, the next test fails. */
import { loadModule } from 'libpg-query'
import { afterAll, afterEach, inject } from 'vitest'
import { assertNoViolations, checkStatements } from './check-statements.ts'

const globalState = globalThis as { aldabaStatementsAreWatched?: boolean }

// Other modules are loaded once per process, this one for each test file.
if (!globalState.aldabaStatementsAreWatched) {
  globalState.aldabaStatementsAreWatched = true
  await loadModule()
  checkStatements(inject('schema'))
}

afterEach(assertNoViolations)
afterAll(assertNoViolations)
