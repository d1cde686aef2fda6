/** The hook with which other features keep a template that they still send. */
import { hook } from '../../kit/hook.ts'

/** Called before a template is deleted. Each handler returns the names of what still sends it. */
export const templateDeleting = hook<{ templateId: string }, string[]>('templateDeleting')
