/** Client addresses of tests: requests of one address are limited, and test files share a program. */
import { createHash } from 'node:crypto'

/** For `X-Forwarded-For`, which shared programs trust: requests with the same name come from one address, others from another. */
export const toClientAddress = (name: string): string =>
  `10.${[...createHash('sha256').update(name).digest().subarray(0, 3)].join('.')}`
