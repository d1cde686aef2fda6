/** The Italian cities of the simulator, in the lines that places.ts reads: real neighbourhoods, postcodes and streets (public knowledge). */

// City lines start with '#': slug|name|province|sale|rent|latitude|longitude|landline|weight.
// Below each, its neighbourhoods: name|postcode|latitude|longitude|price factor|streets.
export const italianLines = `
#roma|Roma|Roma|3450|16.8|41.9028|12.4964|0645|18
Trastevere|00153|41.8880|12.4690|1.42|Via della Lungaretta;Via dei Genovesi;Viale di Trastevere;Via Natale del Grande
Monti|00184|41.8950|12.4920|1.38|Via dei Serpenti;Via Urbana;Via Panisperna;Via del Boschetto
Prati|00192|41.9090|12.4620|1.36|Via Cola di Rienzo;Via Ottaviano;Via Fabio Massimo;Via Crescenzio
Parioli|00197|41.9250|12.4870|1.50|Viale dei Parioli;Via Antonio Bertoloni;Via Archimede
San Giovanni|00183|41.8840|12.5120|1.04|Via Appia Nuova;Via Gallia;Via Magna Grecia;Via Taranto
San Lorenzo|00185|41.8980|12.5170|0.98|Via Tiburtina;Via dei Volsci;Via degli Equi;Via dei Sabelli
Testaccio|00153|41.8770|12.4760|1.18|Via Marmorata;Via Galvani;Via Giovanni Branca
Ostiense|00154|41.8660|12.4790|0.94|Via Ostiense;Via del Porto Fluviale;Via Giacomo Bove
Monteverde|00152|41.8730|12.4520|1.00|Via di Donna Olimpia;Via Fonteiana;Circonvallazione Gianicolense
Montesacro|00141|41.9380|12.5330|0.84|Viale Adriatico;Corso Sempione;Via Nomentana
Pigneto|00176|41.8890|12.5330|0.82|Via del Pigneto;Via Fanfulla da Lodi;Via Casilina
Tuscolano|00174|41.8630|12.5560|0.74|Via Tuscolana;Via dei Consoli;Viale Giulio Agricola
Centocelle|00172|41.8780|12.5650|0.62|Via dei Castani;Viale della Primavera;Via Tor de' Schiavi
Eur|00144|41.8320|12.4700|1.06|Viale Europa;Viale Beethoven;Viale dell'Oceano Atlantico
#milano|Milano|Milano|5150|22.5|45.4642|9.1900|0248|16
Brera|20121|45.4720|9.1870|1.66|Via Fiori Chiari;Via Solferino;Via San Marco;Via Brera
Navigli|20144|45.4510|9.1740|1.10|Ripa di Porta Ticinese;Via Vigevano;Alzaia Naviglio Grande;Via Casale
Porta Romana|20135|45.4510|9.2030|1.16|Corso Lodi;Via Muratori;Via Tiraboschi;Viale Sabotino
Isola|20159|45.4880|9.1890|1.18|Via Pastrengo;Via Borsieri;Via Thaon di Revel;Via Cola Montano
Città Studi|20133|45.4760|9.2260|0.98|Via Pacini;Viale Romagna;Via Bassini;Via Ampère
Porta Venezia|20129|45.4750|9.2090|1.24|Via Lecco;Via Melzo;Corso Buenos Aires;Via Castel Morrone
City Life|20149|45.4770|9.1540|1.38|Viale Cassiodoro;Via Domenichino;Piazza Amendola
Loreto|20131|45.4860|9.2170|0.92|Via Porpora;Viale Abruzzi;Via Ricordi
Lambrate|20134|45.4830|9.2420|0.82|Via Conte Rosso;Via Ventura;Via Rombon
Bovisa|20158|45.5040|9.1620|0.70|Via Imbriani;Via Candiani;Viale Jenner
Niguarda|20162|45.5180|9.1900|0.64|Via Ornato;Viale Ca' Granda;Via Graziano Imperatore
Lorenteggio|20146|45.4540|9.1320|0.78|Via Lorenteggio;Via Giambellino;Via Tolstoi
#torino|Torino|Torino|2000|11.2|45.0703|7.6869|0115|8
Centro|10121|45.0690|7.6840|1.50|Via Roma;Via Lagrange;Via Garibaldi;Via Po
San Salvario|10125|45.0560|7.6790|1.04|Via Nizza;Via Madama Cristina;Via Saluzzo;Corso Marconi
Crocetta|10129|45.0580|7.6620|1.34|Corso Duca degli Abruzzi;Corso Galileo Ferraris;Via Cassini
Vanchiglia|10124|45.0690|7.6990|1.12|Via Vanchiglia;Corso San Maurizio;Via Santa Giulia
Cit Turin|10138|45.0740|7.6600|1.16|Corso Francia;Via Duchessa Jolanda;Via Principi d'Acaja
Barriera di Milano|10155|45.0940|7.7010|0.44|Corso Giulio Cesare;Via Monte Rosa;Via Cherubini
Mirafiori|10135|45.0270|7.6350|0.60|Corso Unione Sovietica;Via Onorato Vigliani;Strada del Drosso
#bologna|Bologna|Bologna|3500|17|44.4949|11.3426|0516|7
Centro Storico|40124|44.4920|11.3430|1.24|Via Santo Stefano;Via Castiglione;Via Saragozza;Via San Felice
Bolognina|40129|44.5100|11.3480|0.82|Via Ferrarese;Via di Corticella;Via Matteotti;Via Fioravanti
Saragozza|40135|44.4880|11.3200|1.14|Via Andrea Costa;Via Turati;Via Felice Battaglia
San Donato|40127|44.5030|11.3700|0.76|Via San Donato;Viale della Repubblica;Via Andreini
Murri|40137|44.4820|11.3640|1.08|Via Augusto Murri;Via Mazzini;Via Dagnini
Savena|40139|44.4720|11.3790|0.84|Via Arno;Viale Lenin;Via Longo
#napoli|Napoli|Napoli|2850|13.2|40.8518|14.2681|0815|8
Chiaia|80121|40.8340|14.2400|1.66|Via dei Mille;Via Filangieri;Riviera di Chiaia;Via Carducci
Vomero|80127|40.8440|14.2310|1.42|Via Luca Giordano;Via Scarlatti;Via Cilea;Via Bernini
Posillipo|80123|40.8120|14.2050|1.62|Via Posillipo;Via Petrarca;Via Manzoni
Centro Storico|80138|40.8500|14.2570|0.90|Via dei Tribunali;Via San Biagio dei Librai;Via Duomo;Via Mezzocannone
Fuorigrotta|80125|40.8290|14.1950|0.86|Via Giulio Cesare;Viale Augusto;Via Leopardi
Arenella|80128|40.8530|14.2290|1.04|Via Pigna;Via Suarez;Via Domenico Fontana
Poggioreale|80143|40.8620|14.2920|0.54|Via Nuova Poggioreale;Via Stadera;Via Taddeo da Sessa
#firenze|Firenze|Firenze|4250|20.5|43.7696|11.2558|0552|6
Santa Croce|50122|43.7690|11.2630|1.20|Via dei Neri;Borgo Pinti;Via Ghibellina;Via dei Benci
Oltrarno|50125|43.7650|11.2480|1.18|Via Maggio;Via Romana;Via dei Serragli;Borgo San Jacopo
Campo di Marte|50137|43.7790|11.2810|0.98|Viale Manfredo Fanti;Via Lungo l'Affrico;Viale dei Mille
Novoli|50127|43.7920|11.2220|0.76|Via di Novoli;Via Baracca;Viale Guidoni
Rifredi|50134|43.7960|11.2430|0.84|Via Vittorio Emanuele II;Via delle Panche;Via Reginaldo Giuliani
Isolotto|50142|43.7690|11.2140|0.74|Viale dei Bambini;Via Pisana;Viale Talenti
#genova|Genova|Genova|1650|9|44.4056|8.9463|0105|5
Albaro|16145|44.3980|8.9660|1.62|Via Albaro;Via Trento;Corso Italia;Via Zara
Castelletto|16122|44.4140|8.9350|1.34|Corso Firenze;Corso Paganini;Via Assarotti
Centro Storico|16123|44.4090|8.9310|0.92|Via San Lorenzo;Via Luccoli;Salita Pollaiuoli
San Fruttuoso|16143|44.4110|8.9580|0.82|Corso Sardegna;Via Torti;Piazza Terralba
Sampierdarena|16149|44.4130|8.8930|0.56|Via Cantore;Via Buranello;Corso Martinetti
#palermo|Palermo|Palermo|1350|8.2|38.1157|13.3615|0916|5
Libertà|90143|38.1310|13.3470|1.36|Via della Libertà;Via Notarbartolo;Via Marchese di Villabianca
Politeama|90141|38.1240|13.3560|1.24|Via Ruggero Settimo;Via Dante;Via Principe di Belmonte
Kalsa|90133|38.1160|13.3700|1.02|Via Alloro;Via Lincoln;Via Butera
Ballarò|90134|38.1110|13.3600|0.60|Via Maqueda;Via Porta di Castro;Corso Tukory
Mondello|90151|38.2020|13.3270|1.40|Viale Regina Elena;Via Mondello;Viale Venere
Noce|90145|38.1230|13.3330|0.72|Via Noce;Via Lancia di Brolo;Corso Finocchiaro Aprile
`
