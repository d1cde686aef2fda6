/** Portuguese texts of listings, with typologies from T0 to T5. */
import type { ListingAttributes } from './listing.ts'
import { joinWords, type Phrases } from './phrases.ts'
import { capitalize, formatThousands } from './spanish.ts'

export const portuguese: Phrases = {
  openings: {
    homes: [
      '{verb} {noun} em {street}, em pleno bairro de {barrio}.',
      'Excelente oportunidade em {barrio}: {noun} {adjective}, perto de todo o comércio e serviços.',
      'Procura {noun} em {city}? Este, em {street}, reúne luz, sossego e bons acessos.',
      'Magnífico {noun} situado numa das melhores zonas de {barrio}.',
      '{noun} {adjective} em {street}. Ideal para habitação própria ou investimento.',
    ],
    offices: [
      '{verb} escritório em {street}, {barrio}, pronto a trabalhar desde o primeiro dia.',
      'Escritório amplo e com muita luz natural em {barrio}, junto aos transportes públicos.',
      'Gabinete em {street}, num edifício de referência de {city}.',
    ],
    premises: [
      '{verb} loja em {street}, ao nível da rua e com grande montra.',
      'Loja em {barrio}, zona de muita passagem, para todo o tipo de comércio.',
      'Espaço comercial com extração de fumos no coração de {barrio}.',
    ],
    garages: [
      '{verb} lugar de garagem em {street}, de fácil acesso e manobra.',
      'Lugar de estacionamento em {barrio}, em prédio com portão automático e videovigilância.',
      'Lugar para automóvel médio em {street}. Entrada cómoda, sem pilares.',
    ],
  },
  surroundings: [
    'A poucos minutos a pé encontra supermercado, escolas, farmácia, metro e autocarros.',
    'Zona consolidada, com comércio local, mercado municipal e espaços verdes.',
    'Rua sossegada e ao mesmo tempo muito bem servida de transportes para o centro de {city}.',
    'Em {barrio} tem tudo à mão: jardins, restaurantes, centro de saúde e transportes.',
    '{barrio} é dos bairros mais procurados de {city}, pelo ambiente e pelos serviços.',
  ],
  conditions: {
    new: ['Construção nova, com acabamentos de primeira qualidade.', 'A estrear, chave na mão.'],
    good: [
      'Encontra-se em bom estado, pronto a habitar.',
      'Caixilharia com vidros duplos e chão em madeira; muito bem conservado.',
      'Remodelado há poucos anos, com cozinha equipada.',
    ],
    to_renovate: [
      'Necessita de obras: perfeito para fazer ao seu gosto.',
      'Para recuperar, com muito potencial.',
    ],
  },
  features: [
    ['terrace', 'um terraço com sol da tarde'],
    ['balcony', 'varanda para a rua'],
    ['parking', 'lugar de garagem incluído no preço'],
    ['pool', 'piscina do condomínio'],
    ['garden', 'jardim'],
    ['air_conditioning', 'ar condicionado'],
    ['storage_room', 'arrecadação'],
    ['fitted_wardrobes', 'roupeiros embutidos'],
    ['concierge', 'serviço de portaria'],
    ['lift', 'elevador'],
  ],
  privateClosings: {
    sale: [
      'Vendo sem intermediários; agradeço contacto só de interessados.',
      'Trato direto com o proprietário, sem comissões.',
    ],
    rent: ['Arrendo diretamente; mínimo um ano.', 'Pede-se caução e recibo de vencimento.'],
    any: ['Ligue e marcamos uma visita, de preferência à tarde.', 'Mais informações por telefone.'],
  },
  agencyClosings: {
    sale: [
      'Tratamos do seu crédito habitação: consulte-nos. Ref. {reference}.',
      'IMT e escritura não incluídos no preço. Ref. {reference}.',
    ],
    rent: [
      'Duas rendas e uma caução na assinatura. Ref. {reference}.',
      'Livre de imediato. Ref. {reference}.',
    ],
    any: [
      'Não hesite em contactar-nos para marcar uma visita sem compromisso.',
      'Visitas por marcação. Temos outros imóveis em {barrio}.',
    ],
  },
  noAgencyClosings: [
    'Não se aceitam imobiliárias.',
    'Agências e imobiliárias, por favor, abster-se.',
    'Só particulares. Dispensam-se imobiliárias.',
  ],
  adjectives: ['luminoso', 'amplo', 'acolhedor', 'bem distribuído', 'com muito charme'],
  verbs: { sale: 'Vende-se', rent: 'Arrenda-se' },
  noun: toNoun,
  title: (attributes, { street, neighbourhood }) =>
    `${capitalize(toNoun(attributes))} para ${attributes.operation === 'sale' ? 'venda' : 'arrendar'} em ${street}, ${neighbourhood}, ${attributes.city.name}`,
  layout({ squareMeters, bedrooms, bathrooms, yearBuilt }) {
    const parts = [`${formatThousands(squareMeters)} m² de área bruta`]
    if (bedrooms) parts.push(bedrooms === 1 ? 'um quarto' : `${bedrooms} quartos`)
    if (bathrooms) parts.push(bathrooms === 1 ? 'uma casa de banho' : `${bathrooms} casas de banho`)
    const built = yearBuilt === null ? '' : ` Prédio de ${yearBuilt}.`
    return `Tem ${joinWords(parts, 'e')}.${built}`
  },
  equipment: parts => `Dispõe de ${joinWords(parts, 'e')}.`,
}

function toNoun(attributes: ListingAttributes): string {
  if (attributes.subtype === 'office') return 'escritório'
  if (attributes.subtype === 'shop') return 'loja'
  if (attributes.subtype === 'garage') return 'lugar de garagem'
  const typology = `T${attributes.bedrooms ?? 0}`
  if (attributes.subtype === 'studio') return `estúdio ${typology}`
  return attributes.subtype === 'duplex' ? `apartamento ${typology} duplex` : `apartamento ${typology}`
}
