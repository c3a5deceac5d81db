// From the development package @zxcvbn-ts/language-common (MIT). To update it: npx vitest run test/security.test.ts -u
export const mostLeaked = `
!qaz2wsx !qazxsw2 0000000000d 0000000000o 000777fffa 007james 01081988m 013cpfza 01telemike01 033028pw 063dyjuy 0773417k 085tzzqi 090808qwe
0987654321a 0o9i8u7y 0o9i8u7y6t 0okm9ijn 0p9o8i7u 0raziel0 0sister0 100years 1029384756q 10inches 1111111111zz 11111111a 1111111a 1111111q 111111aa
11111aaaaa 1111aaaa 1111qqqq 111222333a 11223344q 112233aa 118a105b 11c645df 11qq22ww 1211123a 123123123a 123123123q 123123qwe 123123qweqwe 1232323q
123321qaz 123321qq 123321qwe 123321qweewq 12341234q 12344321a 12344321q 1234554321q 1234567890a 1234567890m 1234567890q 1234567890qaz 1234567890qw
1234567890qwe 1234567890s 1234567890w 1234567890z 1234567890zzz 123456789a 123456789aa 123456789abc 123456789as 123456789b 123456789c 123456789d
123456789e 123456789f 123456789g 123456789i 123456789k 123456789l 123456789m 123456789n 123456789o 123456789p 123456789q 123456789qaz 123456789qq
123456789qqq 123456789qw 123456789qwe 123456789qwerty 123456789r 123456789s 123456789t 123456789v 123456789w 123456789x 123456789y 123456789z
123456789zx 123456789zxc 12345678a 12345678c 12345678m 12345678q 12345678qwe 12345678s 12345678z 1234567a 1234567aa 1234567b 1234567d 1234567k
1234567l 1234567m 1234567q 1234567qw 1234567r 1234567s 1234567t 1234567u 1234567v 1234567w 1234567z 123456aa 123456aaa 123456ab 123456abc 123456as
123456asd 123456qaz 123456qq 123456qqq 123456qw 123456qwe 123456qwer 123456qwert 123456qwerty 123456ru 123456ss 123456zx 123456zxc 123456zz 12345abc
12345abcde 12345asd 12345asdfg 12345qaz 12345qwe 12345qwer 12345qwert 12345qwerty 12345rewq 12345trewq 12345zxc 12345zxcvb 1234abcd 1234asdf 1234kekc
1234qwer 1234qwerasdf 1234qwert 1234qwerty 1234rewq 1234rmvb 1234zxcv 1236987z 123abc123 123as123 123asd123 123hfjdk147 123masha 123mudar 123qaz123
123qazwsx 123qq123 123qwe12 123qwe123 123qwe123qwe 123qwe321 123qwe456 123qwe456rty 123qweas 123qweasd 123qweasdzxc 123qweqwe 123qwert 123qwerty
123zxc123 12e3e456 12locked 12monkey 12qw12qw 12qw34er 12qw34er56ty 12qwaszx 12qwerty 12s3t4p55 134kzbip 135135ab 1357911q 14vbqk9p 151nxjmt 154ugeiu
158uefas 15s9pu03 17071994a 17171717aa 19371ayj 1958proman 1972chev 1986irachka 19952009sa 19mtpgam19 1a2a3a4a 1a2a3a4a5a 1a2b3c4d 1a2b3c4d5e 1a2s3d4f
1a2s3d4f5g 1a2s3d4f5g6h 1aaaaaaa 1abcdefg 1asshole 1basebal 1bbbbbbb 1bigdick 1brandon 1bulldog 1butthea 1ccccccc 1charles 1charlie 1chelsea 1chicken
1compute 1corvett 1cowboys 1diamond 1dolphin 1ferrari 1fishing 1footbal 1forever 1freedom 1fuckyou 1grizzly 1heather 1herbier 1hxboqg2 1hxboqg2s
1j9e7f6f 1jackson 1jeffrey 1jennife 1jessica 1jjjjjjj 1johnson 1letmein 1manager 1matthew 1melissa 1michael 1michell 1million 1monster 1mustang
1panther 1pass1page 1passwor 1password 1patrick 1phoenix 1porsche 1q2q3q4q 1q2q3q4q5q 1q2w3e4r 1q2w3e4r5 1q2w3e4r5t 1q2w3e4r5t6y 1q3e5t7u 1qa2ws3e
1qa2ws3ed 1qa2ws3ed4rf 1qasw23ed 1qay2wsx 1qaz!qaz 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz3edc 1qaz@wsx 1qazxcvb 1qazxsw2 1qazxsw23edc
1qazxsw23edcvfr4 1qazzaq1 1qw23er4 1qwerty1 1qwertyu 1qwertyuiop 1richard 1rosebud 1samanth 1scooter 1sexyred 1simpson 1starwar 1steeler 1sunshin
1superma 1thunder 1tiffany 1w2q3r4e 1w2w3w4w 1warrior 1wildcat 1william 1x2zkg8w 1xrg4kcq 1z2x3c4v 1z2x3c4v5b 1zxcvbnm 1zzzzzzz 201jedlz 20spanks
2112rush 212121qaz 213qwe879 221195ws 22q04w90e 23176djivanfros 23jordan 23skidoo 23wesdxc 245lufpq 248ujnfk 24pnz6kc 2502557i 254xtpss 260zntpc
26429vadim 267ksyjf 28infern 2b4dnvsx 2b8riedt 2bigtits 2bornot2 2bornot2b 2i5fdruv 2kash6zq 2sexy2ho 2w3e4r5t 2wj2k9oj 2wsx1qaz 2wsx3edc 2wsxcde3
2wsxzaq1 305pwzlr 311music 32615948worms 335533aa 33rjhjds 343104ky 368ejhih 380zliki 383pdjvl 38gjgeuftd 3edc4rfv 3edcvfr4 3f3fpht7op 3rjs1la7qe
3stooges 3syqo15hil 3techsrl 3xbobobo 41d8cd98f00b 427cobra 42qwerty42 4311111q 4321rewq 44magnum 4506802a 454dfmcq 45m2do5bs 474jdvff 4809594q
4815162342a 4815162342lost 4904s677075 495rus19 4cranker 4ebouux8 4fa82hyx 4freedom 4g3izhox 4gxrzemq 4me2know 4r3e2w1q 4rfv3edc 4rfv5tgb 4z34l0ts
4z3al0ts 50spanks 51094didi 531879fiz 545ettvy 551scasi 554uzpad 55bgates 565hlgqo 567rntvm 5hsu75kpot 5t4r3e2w1q 5t6y7u8i 5tgb6yhn 5tgbnhy6 5w76rnqp
5wr2i7h8 625vrobg 6339cndh 640xwfkv 6458zn7a 666satan 669e53e1 67camaro 682regkh 686xqxfg 68camaro 69camaro 6jhwmqku 6xe8j2z4 705499fh 741852kk
754740g0 7653ajl1 766rglqy 7777755102q 7777777a 777angel 78n3s5af 7elephants 7ertu3ds 7f4df451 7gorwell 7hrdnw23 7jokx7b9du 7ovtgimc 7u8i9o0p
7ugd5hip2j 80070633pc 808state 8363eddy 863abgsg 878kckxy 89231243658s 8928190a 8j4ye3uz 8letters 8phrowz622 8phrowz624 8xuuobe4 911turbo 9293709b13
9379992a 944turbo 987654321a 987654321z 989244342a 999111999q 9kyq6fge a1234567 a12345678 a123456789 a1234567890 a123456a a123456z a19l1980 a1a2a3a4
a1a2a3a4a5 a1b2c3d4 a1b2c3d4e5 a1l2e3x4 a1s2d3f4 a1s2d3f4g5 a32tv8ls a3eilm2s2y a7777777 a7nz8546 a9387670a a987654321 aa1111aa aa123123 aa123321
aa123456 aaa12345 aaaa1111 aaaaaaa1 aaron123 ab123456 ab12cd34 abc12345 abc123456 abc123456789 abc123abc abcd1234 abcd12345 abcde123 abcde12345
abcdef123 abcdefg1 abigail1 ac2zxdty access12 access123 access14 access20 access22 access99 account1 acmilan1 acun3t1x adam1234 adidas12 admin123
admin18533362 admiral1 adriana1 adv12775 adxel187 aezakmi1 agent007 airforce1 ajcuivd289 ak470000 alabama1 alabama123 alberto1 alena2010 alex1234
alex12345 alex1959 alex1973 alex1990 alex1991 alex1996 alex2000 alex2010 alex2112 alexander1 alexis01 alfredo1 alice123 alino4ka allan123 allen123
allison1 allstar1 almaz666 alpha123 amadeus1 amanda01 amanda11 amanda12 amanda18 amanda69 amber123 america1 amsterdam1 an83546921an13 ancella2
andre123 andrea11 andreas1 andrei123 andrew01 andrew10 andrew11 andrew12 andrew123 andrew13 andrew22 andrew88 andrey123 andyod22 anfield1 angel123
angel666 angel777 angela12 angelo4ek animals1 anna1984 anna1986 anna1987 anna1988 anna1989 anna2000 anna2010 anna2614 annette1 annie123 another1
anthony0 anthony1 anthony2 anthony3 anthony7 anthony9 anton123 antonio1 apollo11 apollo13 apple123 apples12 aq1sw2de3 aragorn1 arizona1 arnster55
arsenal1 arsenal2 art131313 artem123 artem2010 artem777 arwpls4u as123456 asd12345 asd123456 asd123asd asd123qwe asdasd12 asdasd123 asdf1234 asdf12345
asdf4321 asdf67nm asdfg123 asdfg1234 asdfg12345 asdfgh01 asdfgh12 asdfgh123 asdfghj1 asdfghjkl1 asdfghjkl123 asdfjkl1 asdqwe123 asdzxc123 asfnhg66
ashley01 ashley11 ashley12 ashley69 assa1234 asshole1 asshole2 asshole3 assword1 asterix1 astra123 at4gftlw athlon64 atlanta1 auckland2010 august11
august12 august16 august17 august25 august31 austin01 austin11 austin12 austin123 austin31 austin316 australia1 avenger1 awesome1 az123456 azerty123
azfpc310 b0ll0cks b1234567 b929ezzh baby1234 baby2000 babygirl1 babylon5 bacardi1 badboy69 baggins1 bailey01 bailey10 bailey11 bailey12 balla007
baller23 balloon1 banana12 bandit01 bandit12 bangkok1 banshee1 barbara1 barkley1 barney11 barney12 bartman1 baseba11 basebal1 baseball1 baseball2
baseball3 bassman1 bastard1 batman01 batman11 batman12 batman123 batman13 batman23 batman69 batman99 bb123456 bbbbbb99 bbbbbbb1 beaches1 bear2327
bearcat1 beast666 beatles1 beatles4 beautiful1 beaver12 beaver69 beavis69 beckham7 bella123 bengals1 benjamin1 bennett1 bentley1 bernard1 bethany1
bigblue1 bigboy12 bigdaddy1 bigdick1 bigdog69 bigfoot1 bigsexy1 bigtime1 bigtits1 bill1234 billy123 bingo123 birdman1 birthday1 birthday10 birthday100
birthday21 birthday299 birthday3 birthday4 birthday5 birthday54 birthday6 biscuit1 bitch123 bitches1 biteme12 biteme69 black123 black666 blackie1
blade123 blaster1 blessed1 blink182 blondie1 blood123 blowjob1 blowme69 blue1234 blue2000 bluesky1 blunt420 bmw318is bmw325is bmw330ci bob12345
bobby123 boeing74 boeing77 bogdan123 bologna1 bondage1 bonjour1 boobies1 booboo12 booboo69 booster1 boris123 bosco123 boscoe01 boston12 bowling1
boy4u2ownnyc br00klyn bradley1 branden1 brandon0 brandon1 brandon2 braves10 braves95 breaker1 brendan1 brian123 brianna1 bridget1 bristol1 britney1
brittany1 broncos1 broncos2 broncos7 brooklyn1 brother1 brownie1 browns99 bruins77 bruno123 bsheep75 bubba123 bubbles1 bubbles2 buckeye1 buddy123
buffalo1 buffett1 buffy123 bulldog1 bulldog2 bulldog7 bulls123 bunny123 buster01 buster11 buster12 buster21 buster22 buster99 butterfly1 buttons1
c0rvette c3por2d2 c43qpul5rz cab4ma99 cadr14nu cahek0980 caitlin1 calvin69 camaro67 camaro69 camaroz2 camaroz28 camelot1 cameron1 cameron2 camille1
camp0017 candy123 cantona7 canucks1 capital1 captain1 care1839 carla123 carlos12 carlos123 carlton1 carolina1 caroline1 carolyn1 carrera4 carter12
carter15 cartman1 casey123 casper12 casper99 cassidy1 catfish1 caveman1 cbr600f3 cbr600rr cbr900rr cbr929rr ccccccc1 cde34rfv ceisi123 celeste1
celtic1888 celtic67 celtic88 celtics1 central1 cessna17 cezer121 ch1tt1ck chaos666 charger1 chargers1 charles1 charles2 charles3 charlie0 charlie1
charlie123 charlie2 charlie3 charlie4 charlie5 charlie6 charlie7 charlie8 charlie9 charmed1 chase123 cheese12 chelsea0 chelsea1 chelsea2 chelsea4
chelsea6 chelsea8 chester1 chester2 chester7 chevy350 chevy454 chevys10 chevyz71 chicago0 chicago1 chicago2 chicago7 chicco22 chicken1 chicken123
chicken2 chickenwing101 chinese1 chipper1 chloe123 chocolate1 chopper1 chris123 chrissy1 christa1 christian1 christopher1 christy1 chronic1 chuck123
chuckie1 cidkid86 cisco123 cjxb2014 ck6znp42 clapton1 classic1 claudia1 clayton1 clemson1 clinton1 clipper1 cmu9ggzh cobra123 cobra427 cocacola1
coleman1 colleen1 college1 collins1 colole57 colt1911 combat123654 comcast1 command1 compaq12 compute1 computer1 connect1 control1 cookie12 cookie59
cookies1 cooking1 coolguy1 coolman1 cornell1 corrado1 corvet07 corvett1 counter1 country1 courtney1 cowboy22 cowboys1 cowboys2 cptnz062 cracker1
crazy123 creative1 cricket1 crimson1 cruiser1 crystal1 crystal2 csfbr5yy cubbies1 cubswin1 cuddles1 cupcake1 curious1 cvzefh1gkc cyclone1 cyclops1
cygnusx1 cynthia1 d1i2m3a4 d1lakiss d78unhxq dad2ownu daddy123 daisy123 dakota01 dakota12 dalejr88 dallas01 dallas11 dallas12 dallas21 dallas22
damage11 damned69 daniel01 daniel12 daniel123 daniela1 danielle1 danil8098 danny123 dante123 dapzu455 dasha123 david123 daytona1 ddddddd1 de1987ma
deadman1 death123 death666 debbie69 deborah1 december1 defiant1 deflep27 delta123 demon123 demon666 denis123 denman85 depeche1 derrick1 destiny1
detroit1 devil123 devil666 devilmaycry4 devo2706 dgl70460 diablo11 diablo66 diablo666 diamond1 diamond3 diamond6 diamond7 diana123 diego123 digital1
dignity7 dilbert1 dima1234 dima12345 dima1985 dima1989 dima1990 dima1992 dima1993 dima1994 dima1995 dima1996 dima1997 dima1998 dima1999 dima2000
dima2010 dimon4ik djg4bb4b dm6tzsgp dodgers1 dolemit1 dolphin1 dolphin2 dolphins1 doma77ns domainlock2005 dominic1 dont4get dorothy1 douglas1 dragon00
dragon01 dragon10 dragon11 dragon12 dragon123 dragon13 dragon20 dragon21 dragon22 dragon23 dragon25 dragon64 dragon66 dragon69 dragon76 dragon77
dragon88 dragon99 dragons1 dreamer1 dreamer2 dro8smwq drummer1 ds7zamnw ducati74 ducati99 duchess1 dude1998 dumbass1 duncan21 dupont24 durango1
dustin23 dusty123 dusty197 eae21157 eagle123 eagles05 eagles20 eastern1 eatshit1 eclipse1 eclipse2 eclipse9 eddie123 eduardo1 edward12 eeeeeee1
efbcapa201 ekaterina20 el546218 elaine22 electra1 element1 elena123 eleven11 elizabeth1 elliott1 elmer251 elvira26 elvis123 emerald1 emerson1 emily123
eminem12 emmitt22 england1 enter123 episode1 eric1234 eternal1 euro2000 eus1sue1 everest1 everton1 explore1 express1 extra300 extreme1 f00tball
f15eagle f8yruxoj faith123 falcon11 falcon12 falcon16 falcons1 fallout2 fallout3 family01 fantasy1 fantasy7 farside1 fatluvr69 favorite2 favorite3
favorite5 favorite6 favorite7 favorite8 fbi11213 fcc5nky2 feather1 felix123 ferrari1 ferrari2 ferrari3 ferrari5 fetish01 fetish69 fffffff1 ffvdj474
fhntv1998 fiction7 fifa2008 fighter1 fighting54 finance1 firefly1 fireman1 fish1234 fishing1 fitness1 fk8bhydb fkbyf001 fkg7h4f3v6 fkojn6gb fktrcfylh1
flash123 flatron1 flipper1 florian1 florida1 florida2 flower12 flowers1 flyers88 footbal1 football1 football12 football2 ford9402 fordf150 fordf250
fordf350 forest11 forever1 forever21 formula1 forrest1 fortune12 forward1 foxtrot1 frances1 francis1 frank123 frankie1 fred1234 freddie1 freddy12
free4all freedom1 freedom2 freedom3 freedom4 freedom5 freedom7 freedom9 freeman1 friday13 friends1 frogger1 front242 fuck1234 fucker11 fucker69
fuckme69 fuckoff1 fuckoff2 fuckyou0 fuckyou1 fuckyou12 fuckyou123 fuckyou2 fuckyou6 fuckyou69 fuckyou7 funtime1 futyn007 gabriel1 gabriel2 gandalf1
gandalf2 gandalf3 gangsta1 garbage1 garfield1 garrett1 gateway1 gateway2 gateway3 gb15kv99 gemini69 general1 generic1 genesis1 geolog323 george01
george11 george12 georgia1 germany1 gerrard8 gerrity1 gfhjkm007 gfhjkm11 gfhjkm12 gfhjkm123 gfhjkm13 gfhjkm135 gfhjkm22 gfif1991 gfxqx686 ggggggg1
ghbdtn12 ghbdtn123 ghbdtnbr1 ghhh47hj764 ghhh47hj7649 ghjcnj123 ghjcnjnfr1 ghost123 giants56 gilbert1 gillian1 ginger11 ginger12 gizmo123 gizmodo1
glock9mm gn56gn56 gnasher23 gobuffs2 goddess1 goforit1 golfer01 golfer12 golfer23 golfing1 goober12 good12345 good123654 google12 google123 gordolee85
gordon24 gorilla1 grace123 grandma1 green123 greenday1 gregory1 grendel1 gretzky9 griffey1 griffin1 grizzly1 groupd2013 gsgba368 gsxr1000 gsxr1100
guinness1 guitar12 gunners1 gunther1 gustavo1 gy3yt2rgls gznybwf13 halflife2 hallo123 hamburg1 hammer22 hammers1 hamster1 hannah01 hannah11 hansolo1
happy100 happy123 hardcore1 harley01 harley11 harley12 harley69 harley99 harmony1 harrison1 harry123 hawaii50 hawkdog79 hawkeye1 hd764nw5d7e1vb1
heat7777 heather1 heather2 hello123 hello1234 hendrix1 henry123 herbert1 hershey1 hhhhhhh1 hihje863 history1 hitman47 hkger286 hockey10 hockey11
hockey12 hockey19 hockey21 hockey99 holiday1 holland1 holly123 homer123 honda123 honda200 honda250 honey123 hooters1 hopeful1 hopkins1 horndog1
horny123 hot2trot hotsex69 house123 houston1 hpmrbm41 hshfd4n279 hummerh2 hunt4red hunter01 hunter11 hunter12 hunter123 hunter22 hunter69 hunter99
hunting1 huskers1 huskies1 hustler1 hxp4life hzze929b ibill123 icecube1 iceman69 iforgot1 iiiiiii1 ikilz083 iloveme1 iloveme2 iloveyou1 iloveyou123
iloveyou2 ilya1234 ilya1992 imagine1 incubus1 india123 indiana1 indians1 inferno1 ingram01 integra1 internet1 ipswich1 iqzzt580 ireland1 ironman1
ironman2 isabella1 isacs155 italian1 ivan2010 iverson3 j0nathan j3qq4h7h2v jack1234 jackass1 jackpot1 jackson1 jackson2 jackson5 jacob123 jake1234
jalal123 jamaica1 james007 james123 jamesbond007 jameson1 jamie123 january1 january2 jarhead1 jasmine1 jasmine2 jasmine5 jason123 jasper12 jbond007
jeff1234 jeffrey1 jennife1 jennifer1 jenny123 jericho1 jesse123 jessica0 jessica1 jessica2 jessica7 jessica8 jesus123 jesus777 jesusis1 jg3h4hfn
jigei743ks jillian1 jimmy123 jjjjjjj1 jo9k2jw2 johanna1 john1234 johnny69 johnny99 johnson1 johnson2 johnson4 joker123 joker666 jonathan1 jor23dan
jordan01 jordan11 jordan12 jordan123 jordan22 jordan23 jordan99 joseph10 joseph12 joshua01 joshua12 jtuac3my juggalo1 julia123 julie456 jumpman23
junebug1 junior12 junior123 junior24 jupiter1 jupiter2 just4fun just4you justice1 justin10 justin11 justin12 k1234567 k123456789 k9dls02a karen123
karolina1 katie123 katrina1 katya123 kayla123 kcj9wx5n kd189nlcih keith123 kekskek1 kelly001 kelly123 kendall1 kennedy1 kenneth1 kenny123 kenwood1
kevin123 keywest1 kfnju842 kickass1 killer01 killer11 killer12 killer123 killer23 killer66 killer666 killer69 killer99 kimber45 kimberly1 king1234
kingdom1 kirill123 kirsten1 kitty123 klingon1 knight12 knight99 knights1 knopo4ka kodaira52 koetsu13 kondom25 kordell1 kr9z40sy kristen1 kristin1
ktnj2010 kzsfj874 l0swf9gx l58jkdjp! l8g3bkde ladybug1 lakers12 lakers24 lakers32 lakers34 larry123 laura123 leather1 lebron23 left4dead left4dead2
legolas1 len2ski1 lena1982 lena2010 leonard1 lesbian1 lespaul1 letmein0 letmein1 letmein2 letmein22 letmein3 letmein4 letmein6 letmein7 letmein9
leto2010 lewie622 lg2wmgvr lhbjkjubz2957704 liberty1 liberty2 lickme69 lincoln1 linda123 lindros8 lindsay1 lindsey1 lineage2 lisa1234 lithium1
liverp00l liverpool1 liza2000 ljb4dt7n lobster1 locoman0 logan123 logging7 logitech1 lol123123 lol12345 lol123456 lololyo123 london11 london12
london20 london22 london99 loosee123 lopas123 lorenzo1 loser123 lost4815162342 lotus123 love1234 love2000 love2011 love4ever loveme89 loveyou1
loveyou2 lp2568cskt lsdlsd12 lsia9dnb9y lucas123 lucifer1 lucifer666 lucky123 lucky777 luv2epus luv2fuck lvbnhbq1 lvjdp383 lzbs2twz m1234567 m1garand
m6cjy69u35 m7hsqstm machine1 macsan26 madala11 madison0 madison1 madison2 madison3 madison9 madness1 madonna1 maggie11 maggie12 magic123 magical123
magpies1 mailcreated5240 mailman1 makeksa11 malcolm1 mallard1 mama1234 mama1963 mama2010 mammoth1 manager1 mancity1 mandy123 mangust6403 manning1
mapet123456 marcius2 maria123 marie123 marilyn1 marina123 mariner1 marines1 marino13 mario123 marissa1 mark1234 marlboro1 married1 martin11 martin12
martina1 martini1 mash4077 masha123 masha1998 mason123 master00 master01 master10 master11 master12 master123 master13 master21 master22 master23
master55 master69 master77 master99 masterb8 masters1 matilda1 matrix01 matrix12 matrix13 matrix69 matt1234 matthew1 matthew2 matthew3 matthew7
matthew8 matthew9 maureen1 maurice1 maverick1 max33484 maxim1935 maximus1 maximus2 maxwell1 maxwell2 maxwell7 maynard1 mazda323 mazda626 mazdarx7
mazdarx8 megaman1 melanie1 melanie2 melinda1 melissa1 melissa2 melissa3 melissa6 melissa7 memphis1 mercedes1 mercury1 mercury7 merlin01 merlin12
merlin69 merlin99 merrill1 metal666 metallica1 metro2033 mets1986 michael0 michael1 michael12 michael2 michael3 michael4 michael5 michael6 michael7
michael8 michael9 michele1 michelle1 mick7278 mickey01 mickey11 mickey12 microlab1 midnight1 mike1234 mikey123 milkman1 miller31 million1 mimi92139
mine2306 minecraft123 miranda1 misfit99 mission1 missy123 mistral1 misty123 mittens1 mnbvcxz1 molly123 mom4u4mm mommy123 monday12 money111 money123
money4me money777 monica12 monica69 monique1 monitor1 monkey00 monkey01 monkey10 monkey11 monkey12 monkey123 monkey13 monkey20 monkey21 monkey22
monkey23 monkey24 monkey66 monkey69 monkey77 monkey99 monkeys1 monster1 monster2 montana1 montgom240 monty123 mookie12 moom4242 moose123 morgan01
morgan12 mounta1n mouse123 mtwapa1a muffin12 murphy01 music123 mustang0 mustang1 mustang2 mustang3 mustang4 mustang5 mustang6 mustang69 mustang7
mustang8 mustang9 mustard1 mvtnr765 mwq6qlzo mxaigtg5 my2girls my3girls myspace1 mystery1 myxworld4 nancy123 naruto12 naruto123 nascar03 nascar20
nascar24 nascar88 nascar99 nastya1995 natalia1 natalie1 natas666 natasha1 natasha2 nathan12 natural1 naughty1 ncc1701a ncc1701d ncc1701e ncc74656
nccpl25282 ndshnx4s nemesis1 nemrac58 nemvxyheqdd5oqxyxyzi neptune1 network1 newlife1 newpass1 newpass3 newpass6 newport1 newproject2004 newyork1
nhfdvfnjkju123 nicholas1 nick1234 nicolas1 nicole11 nicole12 nicole23 nihao123 nike1234 nikita123 nikita2000 nikita95 nikki123 nintendo1 nintendo64
nirvana1 nissan350z nohack04 nokia123 nokia2700 nokia3110 nokia3230 nokia3250 nokia3310 nokia5130 nokia5228 nokia5230 nokia5300 nokia5310 nokia5320
nokia5530 nokia5800 nokia6120 nokia6230 nokia6230i nokia6233 nokia6300 nokia6303 nokia6630 nokia7610 nokia8800 nokian70 nokian73 nokian95 nolimit5
nolimit8 nolimit9 noname123 noncapa0 nonrev67 noodles1 note1234 nothing1 number20 nwo4life o4izdmxu oakland1 oc247ngucz oceans11 october1 october2
october3 october6 october8 oktober7 oleg1995 ololo123 omega123 onelove1 onlyone4 oooooo99 open1234 opopop11 oqglh565 orange12 orange44 orange77
orange99 oranges1 orioles1 orlando1 oscar123 ou8124me ozlq6qwm p0015123 p030710p$e4o p0o9i8u7 p1234567 p2ssw0rd p3nnywiz p455w0rd p4ssw0rd p4ssword
p@ssw0rd pa55w0rd pa55word pacific1 packard1 packers1 packers4 paintball1 painter1 paladin1 pancake1 panda123 pandora1 pandora2 pantera1 panther1
panther2 panther5 panthers1 panties1 panties2 paris123 parker12 parol123 parol999 pasha123 pass1234 pass1word passion1 passw0rd passw0rd1 passwor1
password0 password00 password01 password1 password10 password11 password12 password123 password1234 password13 password2 password21 password23
password3 password4 password5 password6 password69 password7 password8 password9 password99 patches1 patrick0 patrick1 patrick2 patrick3 patrick7
patrick8 patrick9 patriot1 paul1234 paula123 paulina1 payton34 peace123 peaches1 peaches2 peacock1 peanut12 peanuts1 pebbles1 pedro123 peekab00
pegasus1 penguin1 penis123 penny123 pentium1 pentium2 pentium3 pentium4 pepper01 pepper11 pepper12 pepper123 pepper76 pepsi123 perfect1 pervert1
peter123 pgszt6md phantom1 phantom2 philips1 phillip1 phish123 phish420 phoenix1 phoenix2 phoenix3 phoenix7 phoenix8 pi314159 piazza31 picasso1
pickles1 pikachu1 pilot123 pioneer1 pippen33 pirates1 pistons1 pitbull1 pizza123 plastic1 playboy1 playboy2 player69 playstation2 playstation3
plumber1 poiu0987 poiu1234 pokemon1 pokemon12 pokemon123 pokemon2 poker123 polaris1 police22 polniypizdec0211 polniypizdec110211 polo1234 polopolo09
pon32029 pontiac1 poochie1 poohbear1 pool6123 popcorn1 poppy123 porn1234 porn4life porno123 porsche1 porsche9 porsche911 postov10 postov1000 power123
precious1 prelude1 premier1 preston1 primetime21 prince12 princess1 printer1 private1 prodigy1 project1 psw333333 psychnaut1 ptfe3xxp pufunga7782
pumpkin1 purple01 purple12 pussy101 pussy123 pussy4me pxx3eftp pyramid1 q1234567 q12345678 q123456789 q1234567890 q123456q q1q2q3q4 q1q2q3q4q5
q1w2e3r4 q1w2e3r4t q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q2w3e4r5 q8zo8wzq qawsed123 qaz12345 qaz123456 qaz123wsx qaz12wsx qaz1wsx2
qazwsx12 qazwsx123 qazwsx1234 qazwsxedc1 qazwsxedc12 qazwsxedc123 qazxsw12 qazxsw123 qazxsw21 qcmfd454 qmezrxg4 qmpq39zr qpful542 qq123456 qq123456789
qqqq1111 qqqqqqq1 quality1 quant4307 quant4307s quantum1 quattro6 qw123456 qw12er34 qwaszx12 qwaszx123 qwe123456 qwe1234567 qwe123asd qwe123qwe
qwe123rty qweasd12 qweasd123 qweasdzxc1 qweasdzxc123 qweqwe123 qwer1234 qwer12345 qwer4321 qwert123 qwert1234 qwert12345 qwert54321 qwerty00 qwerty01
qwerty02 qwerty10 qwerty11 qwerty111 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty123456789 qwerty13 qwerty2010 qwerty21 qwerty22
qwerty23 qwerty321 qwerty33 qwerty66 qwerty666 qwerty69 qwerty77 qwerty777 qwerty78 qwerty88 qwerty89 qwerty99 qwertyu1 qwertyu8 qwertyuiop1
qwertyuiop123 r2d2c3p0 r2d2c3po r3ady41t r3vi3wpass r4e3w2q1 racecar1 rachael1 rachel69 radical1 raiders1 raiders2 rainbow1 rainbow2 rainbow6 rainbow7
rainman1 rambler1 rambo123 rammstein1 random123 ranger01 ranger02 ranger11 ranger12 ranger21 ranger69 ranger75 ranger99 rangers1 rangers9 rasta220
rattolo58 raven123 raymond1 rb26dett rdgpl3ds ready2go rebbyt34 rebecca1 rebecca2 red12345 redbull1 redfish1 redhead1 redneck1 redskin1 redskins1
redsox04 redwing1 redwings1 redwood1 review69 revival47 rhind101 ricardo1 richard1 richard2 richard3 richard7 rlzwp503 robert01 robert11 robert12
robert123 robert99 roberta1 roberto1 roberts1 rocket69 rocket88 rocky123 roger123 roma1993 roman123 roman222 romeo123 ronaldo1 ronaldo7 ronaldo9
rooster1 rosebud1 roxanne1 rrrrrrr1 rt6ytere runescape1 running1 rush2112 ruslan123 russell1 russell2 russian7 rusty123 rvgmw2gl rz93qpmq s1234567
s123456789 s456123789 s5r8ed67s s7fhs127 saab9000 sabbath1 sabrina1 safeu851 sailing1 saisg002 sally123 sam138989 samanth1 samantha1 sammy123 sampson1
samsung1 samsung123 samsung2 samuel12 samurai1 sanchez1 sanders1 sandman1 sandy123 sanity72 sanity729 sarah123 sasha123 sasha1234 sasha12345 sasha1988
sasha1992 sasha1995 sasha1996 sasha1997 sasha2000 sasha2010 sasha_007 satan666 satana666 saun24865709 sausage1 save13tx sc0tland scarface1 scarlet1
schalke0 schmidt1 school12 scooby12 scooter1 scooter2 scooter6 scooter7 scorpio1 scorpio2 scorpio7 scott123 scottie1 scoubidou2 scoubidou6 scrappy1
scruffy1 sd3lpgdr sdsadee23 searock6 seattle1 sebastian1 sebora64 secret12 secret123 section8 security1 segblue2 selfok2013 senha123 serega123
sergey123 service01 service1 seven777 sevenof9 seventy7 sevilia1 sex12345 sexy1234 sh4d0w3d shadow01 shadow11 shadow12 shadow1212 shadow123 shadow13
shadow22 shadow69 shadow99 shadows1 shane123 shaney14 shannon1 shaolin1 shearer9 shelley1 sherman1 shirley1 shithead1 shock123 shooter1 shotgun1
shrike01 shygirl1 siemens1 sierra01 silver11 silver12 simba123 simon123 simpson1 sintesi07 sk84life sk8board sk8ordie skate123 skeeter1 skinner1
skipper1 skorpion39 skyline1 skywalk1 slacker1 slava123 slayer66 slayer666 slayer69 slick123 slimed123 slipknot1 slipknot666 slot2009 smile123
smile4me smith123 smoke420 smokey01 smokey12 snake123 snapper1 snickers1 sniper12 snoopy12 snowball1 snowman1 soccer10 soccer11 soccer12 soccer123
soccer13 soccer14 soccer15 soccer16 soccer17 soccer18 soccer20 soccer21 soccer22 soccer33 soccer69 soccer99 sochi2014 sojdlg123aljg soldier1 solomon1
sonic123 sony1234 sooners1 sophie12 soso123aljg spam967888 spanner1 sparky11 sparky12 sparrow1 spartan1 spartan117 spawn666 speaker1 special1 spencer1
spencer2 spider12 spiderman1 spike123 spring99 spurs123 sr20dett ssptx452 sssssss1 stalker1 stalker123 stanley1 stanley2 start123 starwar1 starwars1
station1 stealth1 steeler1 steelers1 stephen1 steve121 steve123 stewart1 stinger1 str8edge strange1 strider1 striker1 student1 studio54 sublime1
success1 sucker69 suckit69 summer00 summer01 summer03 summer04 summer05 summer06 summer07 summer10 summer11 summer12 summer20 summer69 summer98
summer99 sunny123 sunrise1 sunsh1ne sunshine1 super123 superma1 superman1 superman2 support1 sureno13 surfing1 susanne1 suzanne1 sveta123 sweet123
sweetie1 swimmer1 swinger1 sydney12 system32 t34vfrc1991 t3fkvkmj take8422 tamwsn3sja tanya123 tarheel1 tatiana1 taylor01 taylor12 teacher1 teddy123
temp1234 tempest1 tennis11 tennis12 tequila1 test1234 testing1 testing123 testing2 teufelo7 texas123 thegame1 theking1 thelast1 theresa1 therock1
thomas01 thomas10 thomas11 thomas12 thomas123 thomas13 thomas19 thor5200 thumper1 thunder1 thunder2 thunder3 thunder5 thunder7 thunder9 tiffany1
tiffany2 tiger123 tiger200 tigers01 tigers12 tigger01 tigger11 tigger12 tigger69 tigger99 timmy123 timothy1 timoxa94 tiribon12 titanic1 tm371855
tmjxn151 tomcat14 tommy123 tornado1 toronto1 toshiba1 tracker1 trader12 traffic1 trailer1 transam1 trident1 trigger1 trinity1 trinity3 tristan1
triumph1 trojans1 trooper1 trooper2 trouble1 trouble2 trucker1 trumpet1 trustn01 trustno1 tuczno18 tuesday1 turkey50 tvxtjk7r twenty20 twisted1
tyler123 tyrik123 u4slpwra uiegu451 unb4g9ty unicorn1 unknown1 up9x8rww usethis1 usmc0311 usmc1775 usuckballz1 uto29321 valerie1 vampire1 vanessa1
vanilla1 vaz21093 vaz21099 vegas123 venom121293 veritas1 verizon1 vermont1 vfrcbv123 vfvf2011 vfvfgfgf123 vg08k714 victoria1 victory1 vika1996
vika1998 vika2010 vika2011 vikings1 vincent1 viper123 vlad1994 vlad1995 vlad1996 vlad1997 vlad1998 vlad7788 volvo240 volvo850 volvos40 volvos80
volvov70 voyager1 voyager2 vsjasnel12 vurdf5i2 vw198m2n w1w2w3w4 w2dlww3v5p w8gkz2x1 wallace1 walleye1 war3demo warcraft1 warcraft3 warlock1 warlord1
warrior1 warrior2 water123 weare138 weather1 websol76 webster1 welcome1 welcome12 welcome123 welcome2 welcome8 welkom01 wenef45313 wert1234 western1
westham1 wg8e3wjf whatever1 whiskey1 whisper1 whitney1 wifey200 wildcat1 wildman1 william0 william1 william2 william3 william6 william7 william8
willie12 windows1 windows9 windsor1 winner12 winnipeg261 winston1 winston2 winter00 winter01 winter11 winter12 winter99 wizard12 wltfg4ta wnmaz7sd
wolfman1 woody123 wp2003wp wrest666 wrestle1 wrinkle1 wrinkle5 wutang36 wwr8x9pu wwwwwww1 x4ww5qdr x72jhhu3z xaccess2 xakep1234 xohzi3g4 xsvnd4b2
xsw21qaz xsw23edc xxxxxxx1 xyh28af4 xzsawq21 yamahar1 yamahar6 yankees0 yankees1 yankees2 yankees3 yankees4 yankees7 yankees9 yanshi1982 year2000
year2005 yellow12 yellow22 yes90125 yfcnz123 yourmom1 yousuck1 yqlgr667 yr8wdxcq ytdxz2ca yujyd360 yvtte545 yxkck878 yy5rbfsc yyyyyyy1 yzerman1
z1234567 z123456789 z123456z z1x2c3v4 z1x2c3v4b5 zachary1 zaq11qaz zaq12345 zaq123wsx zaq12wsx zaq1xsw2 zaq1xsw2cde3 zaqwsx123 zenit2011 zidane10
ziggy123 zippy123 zldej102 zombie13 zqjphsyf6ctifgu zx123456 zx123456789 zxasqw12 zxc12345 zxc123zxc zxcasdqwe123 zxcv1234 zxcvb123 zxcvb12345
zxcvbn12 zxcvbn123 zxcvbnm1 zxcvbnm12 zxcvbnm123 zz123456 zz8807zpl zzzzzzz1
`;
