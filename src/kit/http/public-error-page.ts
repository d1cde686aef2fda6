/** The page that visitors see instead of a public page, in their language. */
import type { Problem } from '../problem.ts'

interface Sentences {
  /** 404: never there, deleted, expired or revoked. */
  gone: string
  /** 429 and 503. */
  busy: string
}

const sentences: Record<string, Sentences> = {
  en: {
    gone: 'There is nothing here, or nothing any more.',
    busy: 'Too many at once: try again in a minute.',
  },
  es: { gone: 'Aquí no hay nada, o ya no.', busy: 'Demasiadas a la vez: vuelva en un minuto.' },
  ca: { gone: 'Aquí no hi ha res, o ja no.', busy: 'Massa alhora: torneu d’aquí a un minut.' },
  gl: { gone: 'Aquí non hai nada, ou xa non.', busy: 'Demasiadas á vez: volva nun minuto.' },
  eu: { gone: 'Hemen ez dago ezer, edo jada ez.', busy: 'Gehiegi aldi berean: itzuli minutu batean.' },
  pt: { gone: 'Aqui não há nada, ou já não.', busy: 'Demasiados ao mesmo tempo: volte dentro de um minuto.' },
  fr: {
    gone: 'Il n’y a rien ici, ou plus rien.',
    busy: 'Trop de visites en même temps : revenez dans une minute.',
  },
  de: {
    gone: 'Hier gibt es nichts, oder nichts mehr.',
    busy: 'Zu viele auf einmal: Versuchen Sie es in einer Minute noch einmal.',
  },
  it: {
    gone: 'Qui non c’è niente, o non c’è più.',
    busy: 'Troppe richieste insieme: riprovi tra un minuto.',
  },
}

/** Browsers send some; a longer text has no more meaning. */
const languagesMax = 500

/** `query`: of the request; its `lang` comes before the header `Accept-Language`. */
export function renderErrorPage(
  { status, message }: Problem,
  { query, acceptLanguage = '' }: { query: URLSearchParams; acceptLanguage?: string | undefined },
): string {
  const language = findLanguage(`${query.get('lang') ?? ''},${acceptLanguage}`)
  const own = status === 404 ? 'gone' : status === 429 || status === 503 ? 'busy' : null
  const text = own === null ? message : sentences[language]![own]
  const escaped = text.replace(/[&<>]/g, char => `&#${char.charCodeAt(0)};`)
  return `<!doctype html>
<html lang="${own === null ? 'en' : language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped}</title></head>
<body><main><h1>${escaped}</h1></main></body>
</html>
`
}

/** The first that there is, weights aside: browsers sort by them. English if there is none. */
function findLanguage(list: string): string {
  const tags = list.slice(0, languagesMax).split(',')
  const bases = tags.map(tag => tag.trim().toLowerCase().split(/[-_;]/, 1)[0]!)
  return bases.find(base => Object.hasOwn(sentences, base)) ?? 'en'
}
