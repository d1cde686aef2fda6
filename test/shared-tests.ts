/** Tests that need `../shared`: without it, each test or group is one skipped test. */
import { describe, test } from 'vitest'
import { hasShared, sharedMissing } from './shared.ts'

const skip = (name: string) => test(name, context => context.skip(sharedMissing))

/** `describe`; the body only runs if the files exist. */
export const describeShared: (name: string, body: () => void) => void = hasShared ? describe : skip

/** `test`, with an optional time limit. */
export const testShared: (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void =
  hasShared ? test : skip
