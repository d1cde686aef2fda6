/** Runs before each test file: the test fails that sent a statement against the rules, or the next if a job sent it. */
import { loadModule } from 'libpg-query'
import { afterAll, afterEach, inject } from 'vitest'
import { refuseFaults, watchStatements } from './watch.ts'

const watched = globalThis as { aldabaStatementsAreWatched?: boolean }

// Modules are loaded once for many files, and this one anew for each.
if (!watched.aldabaStatementsAreWatched) {
  watched.aldabaStatementsAreWatched = true
  await loadModule()
  watchStatements(inject('schema'))
}

afterEach(refuseFaults)
afterAll(refuseFaults)
