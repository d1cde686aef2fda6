/**
 * The order of the test files: those of test/ come first. Many of them are small and slow, and Vitest begins with the largest
 * files, so a slow one would run at the end, alone.
 */
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const directory = fileURLToPath(new URL('.', import.meta.url))

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.startsWith(directory)
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))]
  }
}
