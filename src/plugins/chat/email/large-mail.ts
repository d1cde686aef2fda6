/** Reads what a person wrote in a message that is too large to be read as a whole. Its files stay in the mailbox. */
import { randomUUID } from 'node:crypto'
import type { ImapFlow, MessageStructureObject } from 'imapflow'
import { filesMax, type MailFile, signatureTypes } from './read-mail.ts'

/** What is read of a message that is too large: its headers. */
export const headMaxBytes = 256 * 1024
const textMaxBytes = 512 * 1024
const textsMax = 10
const partsMax = 200

export interface LargeMail {
  /** A message with the headers and the texts. */
  bytes: Buffer
  files: MailFile[]
}

/** Null: it was deleted meanwhile. Throws if the server does not hand out the message. */
export async function readLargeMail(client: ImapFlow, uid: number): Promise<LargeMail | null> {
  const source = { start: 0, maxLength: headMaxBytes }
  const found = await client.fetchOne(String(uid), { uid: true, bodyStructure: true, source }, { uid: true })
  if (found === false) return null
  if (!found.source || !found.bodyStructure) throw new Error('the server did not hand out the message')
  const parts = listParts(found.bodyStructure)
  const inline = parts.filter(isText)
  const plain = inline.filter(({ type }) => type === 'text/plain')
  const texts = (plain.length > 0 ? plain : inline).slice(0, textsMax)
  const contents = await readParts(client, uid, texts.map(toPartId))
  return contents && { bytes: compose(found.source, texts, contents), files: parts.flatMap(toFiles) }
}

async function readParts(
  client: ImapFlow,
  uid: number,
  partIds: string[],
): Promise<ReadonlyMap<string, Buffer> | null> {
  if (partIds.length === 0) return new Map()
  const bodyParts = partIds.map(key => ({ key, start: 0, maxLength: textMaxBytes }))
  const found = await client.fetchOne(String(uid), { uid: true, bodyParts }, { uid: true })
  return found === false ? null : (found.bodyParts ?? new Map())
}

/** The parts that contain no others. A forwarded message is one. */
function listParts(root: MessageStructureObject): MessageStructureObject[] {
  const parts: MessageStructureObject[] = []
  const waiting = [root]
  while (waiting.length > 0 && parts.length < partsMax) {
    const node = waiting.pop()!
    if (node.type.startsWith('multipart/')) waiting.push(...(node.childNodes ?? []).toReversed())
    else parts.push(node)
  }
  return parts
}

/** A message of one part has no numbers. */
const toPartId = ({ part }: MessageStructureObject): string => part || '1'

const getName = ({ parameters, dispositionParameters }: MessageStructureObject): string | null =>
  dispositionParameters?.filename ?? parameters?.name ?? null

const isText = (node: MessageStructureObject): boolean =>
  /^text\/(?:plain|html)$/.test(node.type) && node.disposition !== 'attachment' && getName(node) === null

function toFiles(node: MessageStructureObject, index: number): MailFile[] {
  const { type, disposition } = node
  if (isText(node) || signatureTypes.test(type) || index >= filesMax) return []
  return [
    {
      partId: toPartId(node),
      mediaType: type.slice(0, 100),
      fileName: getName(node)?.slice(0, 255).toWellFormed() ?? null,
      // The server knows the size of the encoded file.
      bytes: null,
      isInline: disposition === 'inline',
    },
  ]
}

function compose(
  source: Buffer,
  texts: MessageStructureObject[],
  contents: ReadonlyMap<string, Buffer>,
): Buffer {
  const boundary = randomUUID()
  const head = toHead(source.toString('latin1'))
  const parts = texts.map(node => {
    const { type, encoding = '7bit', parameters = {} } = node
    const described = ['charset', 'format', 'delsp'].flatMap(name =>
      parameters[name] === undefined ? [] : [`; ${name}=${toToken(parameters[name])}`],
    )
    const content = contents.get(toPartId(node))?.toString('latin1') ?? ''
    const lines = [
      `--${boundary}`,
      `Content-Type: ${type}${described.join('')}`,
      `Content-Transfer-Encoding: ${toToken(encoding)}`,
      '',
      content,
    ]
    return `${lines.join('\r\n')}\r\n`
  })
  const type = `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${boundary}`
  return Buffer.from(`${head}${type}\r\n\r\n${parts.join('')}--${boundary}--\r\n`, 'latin1')
}

const toToken = (text: string): string => text.replace(/[^\w.-]/g, '')

/** The headers without those that describe the content. */
function toHead(source: string): string {
  const end = /\r?\n\r?\n/.exec(source)?.index ?? source.length
  return source
    .slice(0, end)
    .split(/\r?\n(?![ \t])/)
    .filter(line => line !== '' && !/^(?:content-|mime-version:)/i.test(line))
    .map(line => `${line}\r\n`)
    .join('')
}
