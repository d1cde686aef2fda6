/** The Portuguese cities of the simulator, in the lines that places.ts reads: real neighbourhoods, postcodes and streets (public knowledge). */

// City lines start with '#': slug|name|district|sale|rent|latitude|longitude|landline|weight.
// Below each, its neighbourhoods: name|postcode|latitude|longitude|price factor|streets.
export const portugueseLines = `
#lisboa|Lisboa|Lisboa|5600|21|38.7223|-9.1393|218|18
Bairro Alto|1200-109|38.7127|-9.1447|1.18|Rua da Rosa;Rua da Atalaia;Rua do Norte;Rua Diário de Notícias
Alfama|1100-585|38.7116|-9.1300|1.05|Rua dos Remédios;Rua de São Miguel;Rua do Vigário;Beco do Carneiro
Chiado|1200-093|38.7107|-9.1420|1.48|Rua Garrett;Rua do Alecrim;Rua Ivens;Largo do Picadeiro
Príncipe Real|1250-184|38.7163|-9.1487|1.50|Rua da Escola Politécnica;Rua de São Marçal;Rua do Século
Campo de Ourique|1350-115|38.7185|-9.1645|1.16|Rua Ferreira Borges;Rua Coelho da Rocha;Rua Almeida e Sousa;Rua Tomás da Anunciação
Avenidas Novas|1050-099|38.7370|-9.1480|1.20|Avenida da República;Avenida Conde Valbom;Avenida Elias Garcia;Avenida de Berna
Alvalade|1700-036|38.7530|-9.1440|1.08|Avenida da Igreja;Avenida de Roma;Rua Marquesa de Alorna;Avenida Rio de Janeiro
Areeiro|1000-201|38.7425|-9.1340|0.98|Avenida de Paris;Avenida João XXI;Rua Actor Isidoro;Avenida Almirante Gago Coutinho
Arroios|1150-189|38.7290|-9.1350|0.90|Rua Morais Soares;Rua Pascoal de Melo;Rua de Arroios;Avenida Almirante Reis
Parque das Nações|1990-096|38.7680|-9.0965|1.26|Alameda dos Oceanos;Avenida Dom João II;Rua do Bojador;Passeio de Ulisses
Benfica|1500-081|38.7500|-9.2000|0.78|Estrada de Benfica;Avenida Gomes Pereira;Rua Cláudio Nunes;Avenida Grão Vasco
Marvila|1950-154|38.7440|-9.1050|0.86|Rua do Açúcar;Rua Pereira Henriques;Avenida Paulo VI
Olivais|1800-130|38.7700|-9.1160|0.82|Avenida Cidade de Luanda;Rua Cidade da Beira;Avenida de Berlim
Belém|1400-038|38.6990|-9.2060|1.22|Rua de Belém;Rua Bartolomeu Dias;Avenida da Torre de Belém
#cascais|Cascais|Lisboa|4700|17.5|38.6979|-9.4215|214|6
Cascais Centro|2750-642|38.6975|-9.4205|1.20|Rua Frederico Arouca;Avenida Valbom;Rua Alexandre Herculano
Estoril|2765-187|38.7040|-9.3970|1.14|Avenida Aida;Rua de Olivença;Avenida Marginal
Carcavelos|2775-604|38.6870|-9.3370|0.96|Avenida Jorge V;Rua Doutor José Joaquim de Almeida;Avenida Tenente Coronel Melo Antunes
São Domingos de Rana|2785-389|38.7030|-9.3330|0.66|Rua António Sérgio;Estrada de Polima;Rua do Moinho
#porto|Porto|Porto|3800|16.5|41.1496|-8.6110|223|14
Cedofeita|4050-179|41.1540|-8.6220|1.00|Rua de Cedofeita;Rua da Boavista;Rua Miguel Bombarda;Rua do Breiner
Ribeira|4050-509|41.1412|-8.6130|1.14|Rua da Fonte Taurina;Rua de São João;Rua dos Mercadores
Santo Ildefonso|4000-439|41.1490|-8.6060|1.02|Rua de Santa Catarina;Rua Formosa;Rua de Passos Manuel;Rua Fernandes Tomás
Bonfim|4300-096|41.1500|-8.5950|0.88|Rua do Bonfim;Avenida Fernão de Magalhães;Rua de Santos Pousada;Rua do Heroísmo
Foz do Douro|4150-196|41.1510|-8.6720|1.46|Rua do Passeio Alegre;Avenida Brasil;Rua de Gondarém;Rua da Senhora da Luz
Boavista|4100-119|41.1600|-8.6420|1.18|Avenida da Boavista;Rua de António Bessa Leite;Rua de Tenente Valadim
Paranhos|4200-314|41.1730|-8.6010|0.86|Rua de Costa Cabral;Rua do Amial;Rua de Antero de Quental;Rua Doutor Roberto Frias
Campanhã|4300-173|41.1560|-8.5780|0.66|Rua de São Roque da Lameira;Rua do Freixo;Avenida 25 de Abril
Ramalde|4250-112|41.1710|-8.6430|0.84|Rua de Ramalde;Rua do Pedro Hispano;Avenida Vasco da Gama
#vila-nova-de-gaia|Vila Nova de Gaia|Porto|2650|12.5|41.1300|-8.6110|227|7
Santa Marinha|4400-103|41.1370|-8.6120|1.16|Rua Cândido dos Reis;Avenida Diogo Leite;Rua de Serpa Pinto
Mafamude|4430-208|41.1250|-8.6020|0.96|Avenida da República;Rua Soares dos Reis;Rua Álvares Cabral
Canidelo|4400-002|41.1250|-8.6480|1.02|Rua da Bélgica;Rua do Cabedelo;Rua Manuel Marques Gomes
Vilar do Paraíso|4405-823|41.1010|-8.6290|0.74|Rua do Jardim;Rua das Devesas;Rua Alto das Torres
#braga|Braga|Braga|2150|10|41.5454|-8.4265|253|6
São Vicente|4700-326|41.5580|-8.4250|0.98|Rua de São Vicente;Rua do Carvalhal;Avenida Artur Soares
São Victor|4710-305|41.5520|-8.4110|1.04|Rua de São Victor;Rua Nova de Santa Cruz;Avenida Padre Júlio Fragata
São José de São Lázaro|4700-208|41.5470|-8.4240|1.12|Avenida da Liberdade;Rua do Raio;Rua 25 de Abril
Lamaçães|4715-288|41.5450|-8.3960|1.10|Avenida Dom João II;Rua Padre Manuel Alaio;Rua da Senra
Maximinos|4700-222|41.5440|-8.4400|0.78|Rua Direita;Rua da Cruz de Pedra;Rua do Caires
#guimaraes|Guimarães|Braga|1750|8.8|41.4425|-8.2918|253|4
Oliveira do Castelo|4800-412|41.4450|-8.2930|1.22|Rua de Santa Maria;Largo da Oliveira;Rua da Rainha Dona Maria II
Azurém|4800-015|41.4530|-8.2900|0.96|Rua da Universidade;Alameda Doutor Mariano Felgueiras;Rua Francisco Agra
Creixomil|4835-012|41.4420|-8.3120|0.82|Rua de Creixomil;Rua das Lameiras;Avenida de Londres
#coimbra|Coimbra|Coimbra|2200|11|40.2033|-8.4103|239|6
Baixa|3000-300|40.2090|-8.4290|0.96|Rua Ferreira Borges;Rua Visconde da Luz;Rua da Sofia;Rua Adelino Veiga
Alta|3004-531|40.2080|-8.4230|1.08|Rua da Ilha;Rua dos Coutinhos;Rua do Cabido
Celas|3000-075|40.2180|-8.4110|1.16|Rua Bernardo de Albuquerque;Avenida Calouste Gulbenkian;Rua Augusta
Solum|3030-175|40.2040|-8.4080|1.20|Rua Dom João III;Avenida Elísio de Moura;Rua General Humberto Delgado
Santa Clara|3040-256|40.2010|-8.4400|0.80|Avenida Inês de Castro;Rua António Augusto Gonçalves;Rua da Feitoria dos Linhos
#faro|Faro|Faro|3050|12.8|37.0194|-7.9322|289|5
Sé|8000-138|37.0130|-7.9350|1.10|Rua do Município;Rua de Santo António;Rua Conselheiro Bívar
São Pedro|8000-250|37.0170|-7.9380|0.98|Rua Serpa Pinto;Avenida da República;Rua Filipe Alistão
Penha|8005-101|37.0280|-7.9290|0.88|Avenida Calouste Gulbenkian;Rua de São Luís;Estrada da Penha
Montenegro|8005-203|37.0300|-7.9700|0.92|Rua Ferreira de Castro;Rua da Escola;Estrada da Ria Formosa
#setubal|Setúbal|Setúbal|2450|11.5|38.5244|-8.8882|265|4
São Julião|2900-324|38.5240|-8.8960|1.12|Avenida Luísa Todi;Rua Arronches Junqueiro;Rua Antão Girão
Nossa Senhora da Anunciada|2900-029|38.5220|-8.9030|1.04|Rua da Saúde;Rua General Daniel de Sousa;Rua Vasco da Gama
São Sebastião|2910-412|38.5310|-8.8790|0.80|Avenida Rodrigues Manito;Rua Camilo Castelo Branco;Avenida Belo Horizonte
`
