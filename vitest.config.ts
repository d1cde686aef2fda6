import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/database.ts',
    pool: 'forks',
    maxWorkers: 2,
    // The program keeps nothing in its modules that another file could meet, and loading it for each file takes longer than
    // many of them.
    isolate: false,
    // Processes that tests start load as quickly as those of `npm start`.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/aldaba', import.meta.url)) },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // On a machine under load a test may wait; it may not pass by being run again.
    retry: 0,
  },
})
