/** Errors of files of messages. */
import type { ProblemType } from '../../../kit/problem.ts'

export const mediaForbidden: ProblemType = {
  code: 'MEDIA_FORBIDDEN',
  status: 415,
  meaning: 'Files of this type are not sent to people, because they can run programs on their devices.',
  action: 'Send a photo, a film, a recording, a PDF, or a document of an office program.',
  example: 'Programs are not sent to people. Send a photo, a film, a recording, or a document such as a PDF.',
}

export const mediaNotAccepted: ProblemType = {
  code: 'MEDIA_NOT_ACCEPTED',
  status: 422,
  meaning: 'The provider of the account does not send files of this type.',
  action: 'Convert the file to one of the types in the message.',
  example: 'WhatsApp does not send files of the type image/gif. It sends image/jpeg, image/png.',
}

export const mediaTooLarge: ProblemType = {
  code: 'MEDIA_TOO_LARGE',
  status: 422,
  meaning: 'The provider of the account does not send files of this size.',
  action: 'Make the file smaller.',
  example: 'The file has 7.2 MB, and WhatsApp sends an image of at most 5 MB. Make it smaller.',
}
