/** Reports at the end of a run how many tests were skipped because `../shared` is missing. */
import type { Reporter, TestModule } from 'vitest/node'
import { sharedMissing } from './shared.ts'

export const skippedReporter: Reporter = {
  onTestRunEnd(testModules: readonly TestModule[]): void {
    const skipped = testModules.flatMap(module => [...module.children.allTests('skipped')])
    const count = skipped.filter(test => {
      const result = test.result()
      return result.state === 'skipped' && result.note === sharedMissing
    }).length
    if (count > 0) console.log(`${count} tests and groups of tests were skipped: ${sharedMissing}.`)
  },
}
