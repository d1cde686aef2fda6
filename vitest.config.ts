import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { skippedReporter } from './test/skipped-reporter.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', skippedReporter],
    globalSetup: 'test/database.ts',
    setupFiles: 'test/statements/setup.ts',
    pool: 'forks',
    // One more than a small machine has processors: tests wait for the database, for other processes and for time.
    maxWorkers: 3,
    // What the program keeps in its modules goes by ids or holds for all, so that no file meets another's; and loading it for
    // each takes longer than many of them.
    isolate: false,
    // Node loads the modules as `npm start` does: what Vite makes of them takes a third more processor time. No test needs
    // `vi.mock`, which the loader is for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Processes that tests start load as quickly as those of `npm start`.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/aldaba', import.meta.url)) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a machine under load a test may wait; it may not pass by being run again.
    retry: 0,
  },
})
