/**
 * Error codes that no route or feature declares, with meaning and action: the code of src reports them by name only.
 * test/error-codes.test.ts finds those that are missing here.
 */
export * from './ai-replies.ts'
export * from './appointments.ts'
export * from './calendars.ts'
export * from './campaigns.ts'
export * from './chat.ts'
export * from './error-codes.ts'
export * from './event-types.ts'
export * from './files.ts'
export * from './input.ts'
export * from './leads.ts'
export * from './sheets.ts'
