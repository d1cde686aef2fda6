/** Phrases of robot checks in the nine languages of the portals, in lower case without accents. */

/** Phrases that nobody uses to describe a property. */
const challengeSentences = [
  // English
  'access to this page has been denied|pardon our interruption|are you (?:a )?(?:human|robot)|not a (?:ro)?bot',
  '(?:verify|verifying|confirm|prove)(?: that)? you(?:\\W?re| are) (?:a |not a )?(?:human|robot)',
  '(?:human|bot|robot) (?:verification|check|protection)|verify(?:ing)? your (?:browser|connection)',
  '(?:solve|slide to complete) (?:the|this|a) (?:captcha|puzzle)',
  'unusual (?:traffic|activity)|automated (?:requests|queries|traffic)|press (?:&|and) hold|request unsuccessful',
  'checking (?:if the site connection is secure|your browser)|complete the (?:captcha|security check)',
  'you have been blocked|enable javascript and cookies to continue|suspicious activity',
  // Spanish and Catalan
  'no (?:eres|soy|es|ets|soc) un robot|persona y no un robot|(?:eres|es usted) (?:un )?(?:humano|robot)',
  'confirma que (?:eres|es|ets) (?:un |una )?(?:persona|human[oa]|huma)|denegado el acceso|acceso (?:ha sido )?denegado a esta',
  '(?:resuelve|resuelva|completa|complete|completar|resol) (?:el|este) (?:captcha|puzz?le|rompecabezas|trencaclosques)',
  'comprobando si la conexion',
  '(?:verificacion|comprobacion) de seguridad|comprobacio de seguretat|comprobando (?:tu|su|el) navegador',
  'muchas peticiones|demasiad[ao]s (?:peticiones|solicitudes)|massa peticions',
  '(?:trafico|actividad(?:es)?) (?:inusual(?:es)?|sospechos[oa]s?)|has sido bloquead[oa]|habilita(?:r)? javascript y (?:las )?cookies',
  // Portuguese
  'nao (?:e|es|sou) um (?:robo|robot|bot)|(?:e|voce e) (?:um )?(?:humano|ser humano|robo)|verificacao de seguranca',
  '(?:demasiad[ao]s|muit[ao]s) (?:pedidos|solicitacoes)|(?:trafego|atividade) (?:incomum|invulgar|suspeit[oa])',
  '(?:resolva|complete|resolver) (?:o|este) (?:captcha|puzzle)|a verificar a seguranca|seguranca da (?:sua )?(?:ligacao|conexao)',
  'foi bloquead[oa]|a verificar o (?:seu )?navegador|verificando (?:o )?(?:seu )?navegador',
  // French
  "(?:n'etes|ne suis|n'es) pas un robot|etes[- ]vous (?:un )?(?:humain|robot)|que vous etes (?:un )?(?:etre )?humain",
  '(?:resoudre|resolvez|completer|completez) (?:le|ce) (?:captcha|puzzle)',
  '(?:verification|controle) de securite (?:en cours|requis|necessaire)|trop de requetes',
  '(?:trafic|activite) (?:inhabituel|inhabituelle|suspecte?)|vous avez ete bloque|verification de votre navigateur',
  // Italian
  '(?:non (?:sei|sono|e)|di non essere) un robot|(?:sei|di essere|che sei) (?:un )?(?:umano|essere umano|robot)',
  '(?:verifica|controllo) di sicurezza (?:in corso|necessari[oa]|richiest[oa])|troppe richieste',
  '(?:risolvi|completa|risolvere) (?:il|questo) (?:captcha|puzzle)|(?:verificando la|verifica della) sicurezza della',
  '(?:traffico|attivita) (?:insolit[oae]|anomal[oae]|sospett[oae])|sei stato bloccato|verifica del browser',
  // German
  '(?:kein|ein) roboter|kein bot|mensch aus fleisch und blut|als (?:ro)?bot (?:identifiziert|erkannt)',
  '(?:lose|losen sie) (?:das|dieses) (?:captcha|puzzle)|ob ihre (?:verbindung|browser)',
  '(?:sie|du) ein mensch (?:sind|bist)|(?:sind sie|bist du) (?:ein )?(?:mensch|roboter)',
  'sicherheitsuberprufung|ungewohnliche[rn]? (?:datenverkehr|aktivitat\\w*|zugriffe)|zu viele anfragen',
  '(?:sie wurden|ihr zugriff wurde|ihre anfrage wurde) (?:blockiert|gesperrt)|browser wird (?:uberpruft|gepruft)',
  // Dutch
  'geen robot|(?:bent u|ben je) (?:een )?(?:mens|robot)|dat (?:u|je) een mens (?:bent|ben)|te veel verzoeken|ongebruikelijk verkeer|ongewone activiteit',
  'beveiligingscontrole|u bent geblokkeerd',
  // Polish
  'nie (?:jestes|jestem) robotem|(?:jestes|ze jestes) cz[lł]owiekiem|nietypowy ruch|zbyt wiele zadan',
  'weryfikacja bezpieczenstwa|zosta[lł]es zablokowany',
]
export const robotWords = new RegExp(`(?<![\\p{L}])(?:${challengeSentences.join('|')})(?![\\p{L}])`, 'u')

/** Phrases that count only as a title, because they are ordinary words in a text. */
const titlePhrases = [
  'just a moment|one moment(?: please)?|attention required|access denied|access blocked|security check|too many requests',
  'un momento|acceso (?:denegado|bloqueado|restringido)|control de seguridad|un moment|acces denegat',
  '(?:so )?um momento|acesso (?:negado|bloqueado|recusado)',
  'un instant|verification en cours|acces (?:refuse|interdit|bloque)|(?:verification|controle) de securite',
  'accesso (?:negato|bloccato)|(?:verifica|controllo) di sicurezza|ci siamo quasi',
  '(?:nur )?einen moment(?: bitte)?|zugriff (?:verweigert|gesperrt)|zugang verweigert|sicherheits(?:prufung|abfrage|kontrolle)',
  'even geduld|toegang geweigerd',
  'jeszcze chwila|odmowa dostepu|dostep zabroniony',
]
const titlePattern = new RegExp(`^\\W*(?:${titlePhrases.join('|')})(?=\\W|$)`, 'u')

export function isChallengeTitle(title: string): boolean {
  return titlePattern.test(title)
}
