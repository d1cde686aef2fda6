/** The interface of messaging for other features. */

export { failQueued } from './messages/fail-queued.ts'
