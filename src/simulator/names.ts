/** Names of people and agencies by country. */
import type { Country } from './places.ts'

export interface Names {
  given: readonly string[]
  surnames: readonly string[]
  agencies: readonly ((word: string) => string)[]
}

export const namesByCountry: Record<Country, Names> = {
  ES: {
    given:
      `María Carmen Ana Isabel Laura Cristina Marta Lucía Elena Pilar Raquel Sara Paula Rosa Beatriz Nuria Silvia Teresa Inés
Antonio José Manuel Francisco David Juan Javier Daniel Carlos Jesús Alejandro Miguel Rafael Pablo Pedro Sergio Fernando
Álvaro Alberto Diego Adrián Rubén Enrique Óscar Ramón Andrés Joaquín Vicente Mohamed Ioana Chen Valentina`.split(
        /\s+/,
      ),
    surnames:
      `García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz
Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez
Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano
Prieto Méndez Cruz Calvo Gallego Vidal León Márquez Herrera Peña Flores`.split(/\s+/),
    agencies: [
      word => `Inmobiliaria ${word}`,
      word => `Fincas ${word}`,
      word => `${word} & Asociados Inmobiliaria`,
      word => `Grupo ${word} Gestión`,
      word => `Servicios Inmobiliarios ${word}`,
      word => `${word} Homes`,
      word => `Look & Find ${word}`,
    ],
  },
  PT: {
    given:
      `Maria Ana Inês Beatriz Mariana Joana Catarina Sofia Rita Marta Carla Sónia Helena Teresa Graça Filipa Leonor
João José António Manuel Pedro Rui Tiago Miguel Nuno Luís Paulo Carlos Ricardo Bruno André Gonçalo Vasco Duarte Jorge
Fernando Hugo Diogo Edson Oksana`.split(/\s+/),
    surnames:
      `Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gonçalves Gomes Lopes Marques
Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Correia Mendes Nunes Soares Vieira Monteiro Cardoso Rocha Neves
Coelho Cruz Cunha Pires Ramos Reis Simões Antunes Matos Fonseca Machado Araújo Barbosa Tavares Lourenço Guimarães Leal`.split(
        /\s+/,
      ),
    agencies: [
      word => `Imobiliária ${word}`,
      word => `${word} Mediação Imobiliária, Lda.`,
      word => `Casas ${word}`,
      word => `${word} & Filhos Imobiliária`,
      word => `Predial ${word}`,
      word => `Habita ${word}`,
      word => `${word} Imóveis`,
    ],
  },
  IT: {
    given:
      `Maria Anna Giulia Francesca Chiara Sara Martina Elena Laura Paola Silvia Valentina Federica Giovanna Rosa Lucia
Alessandra Simona Roberta Giuseppe Antonio Giovanni Mario Luigi Francesco Andrea Marco Luca Matteo Alessandro Davide
Stefano Paolo Roberto Simone Lorenzo Riccardo Vincenzo Salvatore Nicolò Ahmed Irina`.split(/\s+/),
    surnames:
      `Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Giordano Mancini
Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso Ferrara Galli Martini Leone Longo Gentile
Martinelli Vitale Lombardo Serra Coppola Marchetti Parisi Villa Conte Ferraro Ferri Fabbri Bianco Marini Grasso D'Angelo`.split(
        /\s+/,
      ),
    agencies: [
      word => `Immobiliare ${word}`,
      word => `Studio ${word} Immobili`,
      word => `${word} Case S.r.l.`,
      word => `Agenzia ${word}`,
      word => `Gruppo ${word} Real Estate`,
      word => `Affiliato ${word} Casa`,
      word => `${word} & Figli Immobiliare`,
    ],
  },
}

/** Names of half of the people in `catalanCities`. */
export const catalanNames =
  'Jordi Montserrat Marc Núria Pau Laia Oriol Mireia Joan Mercè Xavier Anna Arnau Gemma Ferran Roser'.split(
    ' ',
  )
export const catalanSurnames =
  'Puig Ferrer Serra Vila Soler Roca Font Bosch Pujol Riera Casals Mas Batlle Coll Torrent Oliveras'.split(
    ' ',
  )
export const catalanCities: ReadonlySet<string> = new Set(['barcelona', 'palma'])
