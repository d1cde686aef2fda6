// Is a page a robot check or a login instead of the content that was asked for?
import { elementOf, textOf } from './html.ts'
import { plainWords } from './plain-words.ts'

// What robot checks alone carry: the scripts that their makers put on ordinary pages as well are not here.
const CHALLENGE_MARKS = [
  'window._cf_chl_opt',
  '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page',
  'geo.captcha-delivery.com',
  'id="px-captcha"',
  '_Incapsula_Resource?SWUDNSAI',
  'Incapsula incident ID',
  'sec-if-cpt-container',
  'distilIdentificationBlock',
  'AwsWafIntegration.checkForceRefresh',
  'window.gokuProps',
  '/_sec/cp_challenge/',
]
const CHALLENGE_WORDS =
  /\b(just a moment|attention required|access denied|access to this page has been denied|pardon our interruption|are you (a )?(human|robot)|not a robot|verify (that )?you are (a )?human|unusual traffic|press (&|and) hold|no (eres|soy) un robot|persona y no un robot|eres (un )?humano|verificacion de seguridad|comprobacion de seguridad|muchas peticiones|trafico inusual|acceso denegado|request unsuccessful|kein roboter|etes[- ]vous un robot)\b/
const LOGIN_WORDS =
  /\b(inicia(r)? sesion|identificate|acceder|acceso|entrar|log ?in|sign ?in|anmelden|se connecter|accedi)\b/
// A page of content says more than this; a robot check or a login form hardly anything.
const MAX_WORDS_LENGTH = 1500
const MAX_MARKED_LENGTH = 100_000

/**
 * What stands in the way: `challenge` (a robot check), `login`, or null for a page of content.
 * Pages of content carry scripts and forms of both kinds, so that words count only on a page that says little else.
 */
export function readObstacle(html: string): 'challenge' | 'login' | null {
  const title = plainWords(textOf(elementOf(html, 'title')?.inner ?? ''))
  if (html.length < MAX_MARKED_LENGTH && CHALLENGE_MARKS.some(mark => html.includes(mark))) return 'challenge'
  const main = elementOf(html, 'main') ?? elementOf(html, 'body')
  const words = plainWords(textOf(main?.inner ?? html).slice(0, MAX_WORDS_LENGTH + 1))
  if (words.length > MAX_WORDS_LENGTH) return null
  if (CHALLENGE_WORDS.test(title) || CHALLENGE_WORDS.test(words)) return 'challenge'
  return /<input[^<>]+type=["']?password/i.test(html) && LOGIN_WORDS.test(`${title} ${words}`)
    ? 'login'
    : null
}
