/** What robot checks say, in the nine languages of the portals: plain words, without accents. */

/** Sentences that nobody writes of a property. */
const SENTENCES = [
  // English
  'access to this page has been denied|pardon our interruption|are you (?:a )?(?:human|robot)|not a robot',
  '(?:verify|verifying|confirm|prove)(?: that)? you(?:\\W?re| are) (?:a |not a )?(?:human|robot)',
  'unusual (?:traffic|activity)|automated (?:requests|queries|traffic)|press (?:&|and) hold|request unsuccessful',
  'checking (?:if the site connection is secure|your browser)|complete the (?:captcha|security check)',
  'you have been blocked|enable javascript and cookies to continue|suspicious activity',
  // Spanish and Catalan
  'no (?:eres|soy|es|ets|soc) un robot|persona y no un robot|(?:eres|es usted) (?:un )?(?:humano|robot)',
  '(?:verificacion|comprobacion) de seguridad|comprobacio de seguretat|comprobando (?:tu|su|el) navegador',
  'muchas peticiones|demasiad[ao]s (?:peticiones|solicitudes)|massa peticions',
  '(?:trafico|actividad) (?:inusual|sospechosa)|has sido bloquead[oa]|habilita(?:r)? javascript y (?:las )?cookies',
  // Portuguese
  'nao (?:e|es|sou) um robo|(?:e|voce e) (?:um )?(?:humano|ser humano|robo)|verificacao de seguranca',
  '(?:demasiad[ao]s|muit[ao]s) (?:pedidos|solicitacoes)|(?:trafego|atividade) (?:incomum|invulgar|suspeit[oa])',
  'foi bloquead[oa] (?:de|por)|a verificar o (?:seu )?navegador|verificando (?:o )?(?:seu )?navegador',
  // French
  "(?:n'etes|ne suis|n'es) pas un robot|etes[- ]vous (?:un )?(?:humain|robot)|que vous etes (?:un )?humain",
  '(?:verification|controle) de securite (?:en cours|requis|necessaire)|trop de requetes',
  '(?:trafic|activite) (?:inhabituel|inhabituelle|suspecte?)|vous avez ete bloque|verification de votre navigateur',
  // Italian
  'non (?:sei|sono|e) un robot|(?:sei|di essere|che sei) (?:un )?(?:umano|essere umano|robot)',
  '(?:verifica|controllo) di sicurezza (?:in corso|necessari[oa]|richiest[oa])|troppe richieste',
  '(?:traffico|attivita) (?:insolit[oa]|anomal[oa]|sospett[oa])|sei stato bloccato|verifica del browser',
  // German
  '(?:kein|ein) roboter|(?:sie|du) ein mensch (?:sind|bist)|(?:sind sie|bist du) (?:ein )?(?:mensch|roboter)',
  'sicherheitsuberprufung|ungewohnliche[rn]? (?:datenverkehr|aktivitat\\w*|zugriffe)|zu viele anfragen',
  '(?:sie wurden|ihr zugriff wurde|ihre anfrage wurde) (?:blockiert|gesperrt)|browser wird (?:uberpruft|gepruft)',
  // Dutch
  'geen robot|(?:bent u|ben je) (?:een )?(?:mens|robot)|te veel verzoeken|ongebruikelijk verkeer|ongewone activiteit',
  'beveiligingscontrole|u bent geblokkeerd',
  // Polish
  'nie (?:jestes|jestem) robotem|(?:jestes|ze jestes) cz[lł]owiekiem|nietypowy ruch|zbyt wiele zadan',
  'weryfikacja bezpieczenstwa|zosta[lł]es zablokowany',
]
export const ROBOT_WORDS = new RegExp(`(?<![\\p{L}])(?:${SENTENCES.join('|')})(?![\\p{L}])`, 'u')

/** Titles that are ordinary words within a text. */
const TITLES = [
  'just a moment|one moment(?: please)?|attention required|access denied|access blocked|security check|too many requests',
  'un momento|acceso (?:denegado|bloqueado|restringido)|control de seguridad|un moment|acces denegat',
  '(?:so )?um momento|acesso (?:negado|bloqueado|recusado)',
  'un instant|acces (?:refuse|interdit|bloque)|(?:verification|controle) de securite',
  'accesso (?:negato|bloccato)|(?:verifica|controllo) di sicurezza|ci siamo quasi',
  '(?:nur )?einen moment(?: bitte)?|zugriff (?:verweigert|gesperrt)|zugang verweigert|sicherheits(?:prufung|abfrage|kontrolle)',
  'even geduld|toegang geweigerd',
  'jeszcze chwila|odmowa dostepu|dostep zabroniony',
]
const TITLE = new RegExp(`^\\W*(?:${TITLES.join('|')})(?=\\W|$)`, 'u')

export function isTitleOfCheck(title: string): boolean {
  return TITLE.test(title)
}
