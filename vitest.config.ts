/** The test run: one database, shared processes, and a report of skipped tests. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { skippedReporter } from './test/skipped-reporter.ts'
import { SlowFirst } from './test/slow-first.ts'

// The processes of the tests, and those that tests start, use the same compile cache as `npm start`.
process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/aldaba', import.meta.url))

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', skippedReporter],
    globalSetup: 'test/database.ts',
    sequence: { sequencer: SlowFirst },
    setupFiles: 'test/statements/setup.ts',
    pool: 'forks',
    // One more than the processors of a small machine: tests wait for the database, other processes and timers.
    maxWorkers: 3,
    // Test files share modules. Module state is keyed by id or is the same for all files, so they do not affect each other.
    // Loading the modules again would take longer than many of the files.
    isolate: false,
    // Node loads the modules as in `npm start`: modules transformed by Vite take a third more processor time. The Node loader
    // is only for `vi.mock`, which no test uses.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Collecting garbage of short-lived objects took an eighth of the processor time.
    // Tests of memory collect garbage before they measure.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=128', '--expose-gc'],
    // A busy machine may need ten times longer. Only a test that fails anyway waits for so long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As `eventually`.
    expect: { poll: { timeout: 150_000, interval: 20 } },
    // A failed test is not repeated.
    retry: 0,
  },
})
