/** Errors of files, for the `errors` of routes that accept them. */
import { Problem, type ProblemType } from '../problem.ts'

export const storageFull: ProblemType = {
  code: 'STORAGE_FULL',
  status: 422,
  meaning: 'The files of the environment take all the space they may.',
  action: 'Delete files, or let the operator raise `BLOBS_MAX_GB`.',
  example: 'The files of this environment may take 10 GB, and this one does not fit: delete some first.',
}

export const imageNotSupported: ProblemType = {
  code: 'IMAGE_NOT_SUPPORTED',
  status: 415,
  meaning: 'The file is not an image of a supported format.',
  action: 'Send a JPEG, PNG, WebP, GIF or AVIF.',
  example: 'The file is not a supported image. Send a JPEG, PNG, WebP, GIF or AVIF.',
}

export const imageDamaged: ProblemType = {
  code: 'IMAGE_DAMAGED',
  status: 422,
  meaning: 'The image is damaged or incomplete.',
  action: 'Save the image again and send the new file.',
  example: 'The image is damaged or incomplete. Save it again and send the new file.',
}

export const imageTooLarge: ProblemType = {
  code: 'IMAGE_TOO_LARGE',
  status: 413,
  meaning: 'The image has more than 64 million pixels or 30,000 on a side, or takes too long to process.',
  action: 'Make the image smaller.',
  example:
    'The image is 20,000 by 15,000 pixels. At most 64,000,000 pixels are allowed, and 30,000 on a side.',
}

/** Creates a 413 PAYLOAD_TOO_LARGE. `limit`: in bytes. */
export const tooLarge = (limit: number) =>
  new Problem('PAYLOAD_TOO_LARGE', `The file is larger than ${formatBytes(limit)}.`)

/** Creates a 422 STORAGE_FULL. `limit`: in bytes. */
export const createStorageFull = (limit: number) =>
  new Problem(
    storageFull,
    `The files of this environment may take ${formatBytes(limit)}, and this one does not fit: delete some first.`,
  )

function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const index = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${Number((bytes / 1000 ** index).toPrecision(3))} ${units[index]}`
}
