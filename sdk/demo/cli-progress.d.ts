/** Types for the part of cli-progress that the demo uses; the package has none. */
declare module 'cli-progress' {
  export interface Options {
    stream: NodeJS.WritableStream
    format: string
    barsize: number
    barCompleteChar: string
    barIncompleteChar: string
    autopadding: boolean
    hideCursor: boolean
  }

  export class SingleBar {
    constructor(options: Options)
    start(total: number, value: number, payload: Record<string, unknown>): void
    update(value: number, payload: Record<string, unknown>): void
    stop(): void
  }
}
