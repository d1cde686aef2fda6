/** The texts of reports in Portuguese. */
import type { ReportWords } from '../words.ts'

export const pt: ReportWords = {
  title: { sale: 'Estimativa de preço', rent: 'Estimativa de renda' },
  disclaimer:
    'Estimativa meramente indicativa: não constitui uma avaliação oficial feita por perito avaliador.',
  section: {
    summary: 'Resumo',
    map: 'Onde ficam os comparáveis',
    comparables: 'Imóveis comparáveis',
    adjustments: 'O cálculo, passo a passo',
    distribution: 'Preços por m² na zona',
    trend: 'Evolução do preço por m²',
    method: 'Como foi calculada a estimativa',
  },
  estimated: {
    asking: { sale: 'Preço pedido estimado', rent: 'Renda pedida estimada' },
    closed: { sale: 'Preço de venda estimado', rent: 'Renda estimada' },
  },
  thePrice: {
    asking: { sale: 'o preço pedido', rent: 'a renda pedida' },
    closed: { sale: 'o preço de venda', rent: 'a renda contratada' },
  },
  price: {
    asking: { sale: 'Preço pedido', rent: 'Renda pedida' },
    closed: { sale: 'Preço de venda', rent: 'Renda contratada' },
  },
  basis: {
    asking: {
      sale: 'Baseada em preços pedidos em anúncios, não em preços de venda.',
      rent: 'Baseada em rendas mensais pedidas em anúncios, não em contratos assinados.',
    },
    closed: {
      sale: 'Baseada em preços de vendas concluídas.',
      rent: 'Baseada em rendas mensais de contratos assinados.',
    },
  },
  oldPrices: (newest, month, median) =>
    `O mais recente dos preços utilizados tem ${newest} (${month}) e metade tem pelo menos ${median}: o mercado pode ter mudado desde então.`,
  widerForAge: 'Por isso o intervalo é mais largo.',
  range: coverage => `Intervalo provável (${coverage})`,
  pricePerSquareMeter: 'Preço por m²',
  confidence: 'Fiabilidade',
  confidenceLevel: { high: 'Alta', medium: 'Média', low: 'Baixa' },
  valuedOn: 'Data da estimativa',
  issuedOn: 'Data de emissão',
  thisProperty: 'Este imóvel',
  column: {
    seen: { asking: 'Visto', closed: 'Concluído' },
    distance: 'Distância',
    area: 'Área',
    characteristics: 'Características',
    adjustedPrice: 'Preço ajustado',
    weight: 'Peso',
    share: 'Preço ajustado × peso',
  },
  factor: {
    time: 'Data',
    place: 'Localização',
    size: 'Área',
    plot: 'Terreno',
    bedrooms: 'Quartos',
    bathrooms: 'Casas de banho',
    condition: 'Estado',
    floor: 'Andar',
    lift: 'Elevador',
    amenities: 'Extras',
    yearBuilt: 'Ano',
    subtype: 'Categoria',
    unexplained: 'Outras causas',
  },
  adjustmentsIntro:
    'A cada preço soma-se ou subtrai-se o que esse comparável tem a menos ou a mais do que este imóvel. Por baixo de cada valor, a cinzento, está o dado do comparável. O preço ajustado, multiplicado pelo seu peso, é o seu contributo para a estimativa.',
  unexplainedIntro:
    '«Outras causas» é o que os dados conhecidos não explicam do preço de um comparável (luz, ruído, pressa em vender…): só uma parte passa para este imóvel. Por baixo indica-se que percentagem do preço era.',
  sum: 'Soma',
  rounded: 'Estimativa, arredondada',
  scaleCaption:
    'A barra é o intervalo e a linha, a estimativa. Cada círculo é o preço ajustado de um comparável, com o seu número.',
  mapCaption:
    'A casa assinala este imóvel. Cada círculo é um comparável, com o seu número da tabela; quanto maior, mais pesa na estimativa. Norte em cima, à escala.',
  mapBeyond: 'Os comparáveis com seta ficam fora do mapa, nessa direção e à distância indicada.',
  count: { asking: 'Número de anúncios', closed: 'Número de transações' },
  distributionCaption: {
    asking: 'Quantos anúncios da zona pedem cada preço por m².',
    closed: 'Quantas transações da zona se concluíram a cada preço por m².',
  },
  beyondAxis: count => `Fora da escala: ${count}.`,
  trendCaption: {
    asking: 'Cada ponto é um anúncio; a linha une as medianas de cada mês.',
    closed: 'Cada ponto é uma transação; a linha une as medianas de cada mês.',
  },
  tooFewMonths:
    'Os dados da zona são de menos de três meses diferentes: não chegam para mostrar uma evolução.',
  noPrices: 'Não há preços da zona para mostrar.',

  method: {
    how: 'Procuram-se imóveis semelhantes e próximos. O preço de cada um é ajustado pelo que o distingue deste imóvel: data, localização, área e outras características. A estimativa é a média desses preços ajustados, na qual pesam mais os imóveis mais semelhantes.',
    counts: (used, considered) =>
      `Foram considerados ${considered} imóveis, dos quais ${used} ${used === 1 ? 'entra' : 'entram'} no cálculo.`,
    chosen: 'Os comparáveis utilizados foram escolhidos por quem pediu a estimativa.',
    leftOut: 'Ficam de fora',
    exclusion: {
      excluded_by_request: 'Excluídos por quem pediu a estimativa',
      not_chosen: 'Não escolhidos por quem pediu a estimativa',
      less_similar: 'Menos semelhantes do que os utilizados',
      same_property: 'Anúncio deste mesmo imóvel',
      implausible_price: 'Com um preço pouco verosímil',
    },
    range: (coverage, price, low, high) =>
      `O intervalo significa que, em ${coverage} dos casos como este, ${price} fica entre ${low} e ${high}. É mais largo quando há poucos comparáveis ou são menos semelhantes.`,
    currency: 'Moeda',
    deviation: 'Desvio-padrão previsto',
    adjustments: 'Ajustamentos',
    calibrated: date => `calibrados neste mercado em ${date}`,
    uncalibrated: 'habituais, ainda não calibrados neste mercado',
  },
}
