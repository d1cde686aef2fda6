/** The example of a header with a file: an upload that belongs to the app. Graph calls it resumable. */
import { type ChatContext, ChatError, type OutgoingMedia, uploadBytesPerMs } from '../../chat.ts'
import { asText } from '../../graph-kit/json.ts'
import { type CredentialValues, callGraph } from './graph.ts'
import { refuse } from './message-body.ts'

/** Returns the handle of the file. Throws ChatError. */
export async function uploadExample(
  credentials: CredentialValues,
  media: OutgoingMedia,
  context: ChatContext,
): Promise<string> {
  const query = {
    file_name: media.fileName ?? 'file',
    file_length: String(media.bytes),
    file_type: media.mediaType,
  }
  const session = await callGraph(credentials, { path: 'app/uploads', query, body: {} }, context)
  const id = asText(session.id) ?? ''
  // The id contains its signature as a query.
  if (!/^upload:[\w=.:-]{1,1000}(\?sig=[\w-]{1,500})?$/.test(id)) throw noHandle()
  const [path, parameters] = id.split('?')
  const uploaded = await callGraph(
    credentials,
    {
      path: path!,
      query: Object.fromEntries(new URLSearchParams(parameters)),
      upload: { stream: await media.open(), contentType: media.mediaType, bytes: media.bytes },
      headers: { authorization: `OAuth ${credentials.accessToken}`, file_offset: '0' },
      timeoutMs: 30_000 + Math.ceil(media.bytes / uploadBytesPerMs),
    },
    context,
  )
  const handle = asText(uploaded.h)
  if (!handle) throw noHandle()
  return handle
}

const noHandle = () =>
  new ChatError(refuse('MEDIA_REJECTED', 'WhatsApp returned no handle for the example of the header.'))
