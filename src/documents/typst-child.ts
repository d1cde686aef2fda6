/** The child process that runs Typst, see `typst-process.ts`. */
import { lowerPriority } from '../kit/priority.ts'
import { type PdfInput, startTypst } from './typst.ts'

export type Answer = { pdf: Uint8Array } | { refusal: string }

const typst = startTypst()
lowerPriority()

// Ignore send errors: the parent may have exited, and then this process ends as well.
process.on('message', (input: PdfInput) => process.send!(handleInput(input), () => {}))

function handleInput(input: PdfInput): Answer {
  try {
    return { pdf: typst(input) }
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) }
  }
}
