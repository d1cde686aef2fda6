/** The hook with which other features keep a template that they still send. */
import { hook } from '../../kit/hook.ts'

/**
 * Called before a template is deleted, or changed so that no lead could get it. Each handler returns the names of what still
 * sends it.
 */
export const templateEnding = hook<{ templateId: string }, string[]>('templateEnding')
