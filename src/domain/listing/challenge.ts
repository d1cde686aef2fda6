// Is a page a robot check or a login instead of the content that was asked for?

import { plainWords } from '../plain-words.ts'
import { isTitleOfCheck, ROBOT_WORDS } from './challenge-words.ts'
import { elementOf, textOf } from './html.ts'

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
const LOGIN_WORDS =
  /\b(inicia(r)? sesion|identificate|acceder|acceso|entrar|log ?in|sign ?in|anmelden|se connecter|accedi)\b/
// A page of content says more than this; a robot check or a login form hardly anything, however long its script is.
const MAX_WORDS_LENGTH = 1500
const MAX_MARKED_LENGTH = 100_000
/** What every advert says, and no robot check: a price or an area. */
const PRICE_OR_AREA = /\d ?(?:€|eur\b|£|zł|m²|m2\b|mq\b|qm\b)|[€£] ?\d/

/**
 * What stands in the way: `challenge` (a robot check), `login`, or null for a page of content.
 * Pages of content carry scripts and forms of both kinds, so that words count only on a page that says little else.
 */
export function readObstacle(html: string): 'challenge' | 'login' | null {
  const title = wordsIn(elementOf(html, 'title')?.inner ?? '')
  const isMarked = CHALLENGE_MARKS.some(mark => html.includes(mark))
  if (isMarked && html.length < MAX_MARKED_LENGTH) return 'challenge'
  const main = elementOf(html, 'main') ?? elementOf(html, 'body')
  const words = wordsIn(main?.inner ?? html)
  if (words.length > MAX_WORDS_LENGTH) return null
  if (isMarked) return 'challenge'
  const heading = wordsIn(elementOf(html, 'h1')?.inner ?? '')
  const says = (pattern: RegExp) => pattern.test(title) || pattern.test(words)
  if (!PRICE_OR_AREA.test(words) && (says(ROBOT_WORDS) || [title, heading].some(isTitleOfCheck)))
    return 'challenge'
  return /<input[^<>]+type=["']?password/i.test(html) && says(LOGIN_WORDS) ? 'login' : null
}

function wordsIn(html: string): string {
  return plainWords(textOf(html).slice(0, MAX_WORDS_LENGTH + 1)).replaceAll('’', "'")
}
