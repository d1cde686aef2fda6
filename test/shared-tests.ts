/** Tests of the files in `../shared`: where it is missing, one skipped test stands in for each test or group. */
import { describe, test } from 'vitest'
import { hasShared, sharedMissing } from './shared.ts'

const skip = (name: string) => test(name, context => context.skip(sharedMissing))

/** `describe`. Its body may read the files at once: it runs only where they are. */
export const describeShared: (name: string, body: () => void) => void = hasShared ? describe : skip

/** `test`, with a time limit if it takes long. */
export const testShared: (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void =
  hasShared ? test : skip
