/**
 * Finds what is new in the text of an e-mail: without the messages that it quotes, the signature, and the line that a
 * mobile program adds. In the nine languages of the program. Takes linear time.
 */

/** Lines that introduce a quoted message. They have an address, a year or a time. */
const attributions = [
  /^On\b.{4,350}\bwrote ?:$/i,
  /^El\b.{4,350}\bescribió ?:$/i,
  /^El\b.{4,350}\b(?:va escriure|ha escrit) ?:$/i,
  /^Missatge de\b.{4,350}:$/i,
  /^(?:O|En)\b.{4,350}\bescribiu ?:$/i,
  /^.{0,200}\bidatzi (?:du|zuen)\b.{0,200}:$/i,
  /^(?:Em|No dia|A|Às)\s.{4,350}\bescreveu ?:$/i,
  /^.{3,200} escreveu \(.{4,100}\) ?:$/i,
  /^Il\b.{4,350}\bha scritto ?:$/i,
  /^Le\b.{4,350}\ba écrit ?:$/i,
  /^Am\b.{4,350}\bschrieb\b.{0,200}:$/i,
]
const attributionDetail = /@|\d{4}|\d{1,2} ?[:.h] ?\d{2}/
/** Programs break an attribution at 76 characters. */
const attributionLinesMax = 4
const attributionMaxLength = 500

/** Lines above an original message, such as `-----Mensaje original-----`. */
const originalSeparator =
  /^\s?-{2,20}\s?(?:original message|mensaje original|missatge original|mensaxe orixinal|jatorrizko mezua|mensagem original|messaggio originale|message d['’]origine|message original|ursprüngliche nachricht)\s?-{2,20}$/i

/** From here on the person sends another message on: it belongs to theirs. */
const forwardSeparator =
  /^(?:\s?-{4,20}\s?(?:forwarded message|mensaje reenviado|missatge reenviat|mensaxe reenviada|birbidalitako mezua|mensagem encaminhada|mensagem reencaminhada|messaggio inoltrato|message transféré|weitergeleitete nachricht)\s?-{4,20}|begin forwarded message:|inicio del mensaje reenviado:|início da mensagem reencaminhada:|inizio messaggio inoltrato:|début du message transféré :|anfang der weitergeleiteten nachricht:)$/i

/** The heading of a quoted message in Outlook: first the sender, then at least two of the others. */
const senderLine = /^\*?(?:from|de|von|da|nork|bidaltzailea|expéditeur)\s?:\*?\s?\S/i
const headingLine =
  /^\*?(?:sent|date|to|cc|subject|enviado(?: el| o)?|fecha|para|asunto|enviat(?: el)?|data|per a|a|assumpte|tema|bidalia|nori|noiz|gaia|enviada(?: em)?|assunto|inviato|oggetto|envoyé|à|objet|gesendet|datum|an|betreff)\s?:\*?/i
const headingLinesMax = 6

/** Lines that programs add at the end. */
const programLine =
  /^(?:sent from (?:my |yahoo|mail for|outlook|proton|samsung|the all)|get outlook for|enviado desde (?:mi|o meu|correo|outlook|yahoo|mail|proton)|obtener outlook para|obtén outlook para|enviat (?:des del|des de|amb)|obteniu? l['’]outlook|nire .{1,40}(?:tik|dik) bidalia|.{1,30}(?:tik|dik) bidalia$|enviado (?:do meu|a partir do|do yahoo|do outlook|do correio)|obter o outlook|inviato da(?:l|lla)? |ottieni outlook|scarica outlook|envoyé (?:de mon|depuis|à partir)|télécharger outlook|obtenir outlook|von meinem .{1,40} gesendet|gesendet (?:von|mit)|von .{1,30} für windows gesendet|holen sie sich outlook|outlook für (?:ios|android))/i
const programLineMaxLength = 120
const ruleLine = /^[_\-=*]{5,200}$/

/** The new text of a message. If nothing seems to be new, the whole text. */
export function removeQuotedText(fullText: string): string {
  const lines = fullText.replace(/\r\n?/g, '\n').split('\n')
  const kept: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = clean(lines[index]!)
    if (forwardSeparator.test(line)) {
      kept.push(...lines.slice(index))
      break
    }
    if (isEndOfNewText(lines, index, kept)) break
    const attributionLines = countAttributionLines(lines, index)
    const quoteStart = attributionLines === 0 ? index : skipBlankLines(lines, index + attributionLines)
    const quoteEnd = skipQuotedLines(lines, quoteStart)
    if (attributionLines > 0 && quoteEnd === quoteStart) break
    // One line with > may be the person's own.
    if (attributionLines > 0 || quoteEnd - quoteStart > 1) index = quoteEnd - 1
    else kept.push(lines[index]!)
  }
  const text = trimEnd(kept).join('\n').trim()
  return text === '' ? fullText.trim() : text
}

function isEndOfNewText(lines: string[], index: number, kept: string[]): boolean {
  const line = clean(lines[index]!)
  if (line === '--') return kept.some(previous => previous.trim() !== '')
  return originalSeparator.test(line) || isHeading(lines, index)
}

function isHeading(lines: string[], index: number): boolean {
  if (!senderLine.test(clean(lines[index]!))) return false
  const following = lines.slice(index + 1, index + 1 + headingLinesMax)
  return following.filter(line => headingLine.test(clean(line))).length >= 2
}

/** The number of lines of the attribution that begins at `index`; 0: none begins there. */
function countAttributionLines(lines: string[], index: number): number {
  let text = ''
  for (let count = 1; count <= attributionLinesMax; count++) {
    const line = clean(lines[index + count - 1] ?? '')
    if (line === '') return 0
    text = text === '' ? line : `${text} ${line}`
    if (text.length > attributionMaxLength) return 0
    if (!text.endsWith(':')) continue
    if (attributionDetail.test(text) && attributions.some(pattern => pattern.test(text))) return count
  }
  return 0
}

function skipBlankLines(lines: string[], start: number): number {
  let index = start
  while (index < lines.length && lines[index]!.trim() === '') index++
  return index
}

function skipQuotedLines(lines: string[], start: number): number {
  let index = start
  while (index < lines.length && lines[index]!.startsWith('>')) index++
  return index
}

/** Without blank lines, rules and lines of programs at the end. */
function trimEnd(lines: string[]): string[] {
  let end = lines.length
  while (end > 0) {
    const line = clean(lines[end - 1]!)
    const isProgramLine = line.length <= programLineMaxLength && programLine.test(line)
    if (line !== '' && !isProgramLine && !ruleLine.test(line)) break
    end--
  }
  return lines.slice(0, end)
}

/** A line with plain spaces. Marks of direction, which some programs write, are removed. Bounded, for the patterns. */
function clean(line: string): string {
  return line
    .slice(0, attributionMaxLength + 1)
    .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
