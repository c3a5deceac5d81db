/**
 * The most used passwords that would satisfy the other rules, in lower case, the most used first. Sources: the list of 20,000
 * common passwords by Royce Williams, as Django 5.2 carries it (django/contrib/auth/common-passwords.txt.gz, BSD), and the
 * yearly lists of NordPass.
 */
export const mostUsed: ReadonlySet<string> = new Set(
  `
password1 1q2w3e4r5t 1qaz2wsx myspace1 1q2w3e4r qwerty123 target123 1g2w3e4r zag12wsx gwerty123 1234qwer iloveyou1
fuckyou1 princess1 abcd1234 passer2009 football1 jordan23 12qwaszx 123456789a q1w2e3r4t5y6 fqrg7cs493 michael1
blink182 qwer1234 babygirl1 q1w2e3r4 j38ifubn iloveyou2 jessica1 fuckyou2 anthony1 trustno1 baseball1 passw0rd
asdf1234 qwerty12 charlie1 superman1 asshole1 fuk19600 sunshine1 1qaz2wsx3edc 29rsavoy 3rjs1la7qe 1qazxsw2 hello123
password12 password2 q1w2e3r4t5 brandon1 12345qwert a123456789 yuantuo2012 sojdlg123aljg matthew1 million2 dpbk1234
pe#5gz29ptzmse zaq12wsx computer1 michelle1 william1 welcome1 jasmine1 liverpool1 chicken1 qwerty12345 pokemon1
butterfly1 123qweasd chelsea1 chocolate1 a838hfid 1234567a freedom1 america1 jennifer1 111222tianya 1234abcd madison1
1password samantha1 elizabeth1 mustang1 password123 diamond1 myspace123 qqww1122 whatever1 super123 1q2w3e4r5t6y
a1b2c3d4 n0=acc3ss spongebob1 friends1 123hfjdk147 123456789q heather1 yankees1 bubbles1 fuckoff1 patrick1 cowboys1
yagjecc826 iw14fi9j melissa1 alexander1 raiders1 qazwsx123 zxcvbnm1 a1234567 jackson1 aa123456 newyork1 asdfghjkl1
richard1 monster1 destiny1 blessed1 slipknot1 spiderman1 beautiful1 3odi15ngxb 421uiopy258 scooter1 1a2b3c4d 123456abc
myspace2 12345678a qwert123 forever1 cameron1 metallica1 samsung1 1v7upjw3nt brittany1 babyboy1 qwerty123456
christian1 letmein1 danielle1 gangsta1 arsenal1 uqa9ebw445 iloveyou12 qwerty1234 sz9kqcctwy dolphin1 abc123456
123qwe123 starwars1 loveyou1 tiffany1 d2xyw89sxj playboy1 crystal1 password3 jonathan1 nicholas1 angel123 jackass1
rainbow1 poohbear1 123qweasdzxc iloveme1 3d8cubaj2e shannon1 pa55word victoria1 popcorn1 lakers24 steelers1 p3rat54797
rockstar1 peaches1 florida1 love4ever thunder1 happy123 abcdefg1 satan666 qwert12345 iverson3 vanessa1 chester1
yourmom1 rush2112 midnight1 12345qwerty love1234 babygurl1 greenday1 charles1 precious1 a12345678 brooklyn1 abc12345
money123 stephanie1 lebron23 soccer12 polniypizdec0211 qq123456 zxcvbnm123 career121 soccer10 password11 ig4abox4
rebecca1 brianna1 qw123321 southside1 getmoney1 ronaldo7 123456aa jesus123 monkey123 chicago1 courtney1 bigdaddy1
awesome1 apple123 gabriel1 gateway1 hollister1 password7 element1 natalie1 fishing1 princess12 w5txn36alfw bitch123
zachary1 antonio1 babygirl12 monkey12 pass1234 chris123 grandma1 twilight1 bitches1 scarface1 abcdefg123 softball1
pumpkin1 loveyou2 benjamin1 ladybug1 hallo123 cookies1 fuckyou123 soccer11 123456qwerty password01 2012comeer
password5 inuyasha1 rangers1 sabrina1 p@ssw0rd nirvana1 asdasd123 n8zgt5p0shw= internet1 airforce1 sample123
groupd2013 flowers1 icecream1 vrbgqns997 superstar1 bulldog1 cupcake1 christina1 westside1 qti7zxh18u frankie1
megaparol12345 johncena1 redneck1 jackson5 football12 india123 september1 snickers1 admin123 123456789m 1qaz1qaz
123456789z a1s2d3f4 welcome123 kimberly1 killer123 spencer1 phoenix1 zaq1xsw2 runescape1 jesus777 maxwell1 g9l2d1fzpy
babygirl2 savannah1 sweetie1 1234567q d1lakiss hotmail1 diwtgm8492 patches1 snowball1 gangster1 green123 trouble1
comeon11 myspace12 james123 winston1 mercedes1 soccer13 1234asdf hollywood1 forever21 success1 test1234 trinity1
princess2 onelove1 ihateyou1 cocacola1 1qa2ws3ed soccer123 timothy1 stephen1 georgia1 zxcv1234 orlando1 jacket025
qwerty321 digital1 maryjane1 nothing1 asdqwe123 summer08 paintball1 pokemon123 football2 sexybitch1 sureno13 password4
shithead1 gordon24 qweasd123 bullshit1 qazwsx12 sebastian1 david123 monique1 elephant1 cutiepie1 baseball12 password13
sexygirl1 youbye123 porsche1 buddy123 pa55w0rd allison1 teddybear1 houston1 fuckyou69 vincent1 smoke420 charmed1
chopper1 drummer1 iloveme2 music123 packers1 x4ivyga51f skittles1 isabella1 christine1 raymond1 bradley1 naruto123
qwe12345 asd123456 iloveyou3 123456789s panther1 barcelona1 6hbf28w791 charlotte1 carolina1 1loveyou hardcore1
fordf150 johnson1 tnk0mk16vx password10 h1xp2z2duk baseball2 password0 spartan117 ilovehim1 yfdbufnjh10305070
dragon123 tiger123 natasha1 ferrari1 lilwayne1 melanie1 thebest1 qwerty11 abigail1 pebbles1 aobo2010 genesis1 penguin1
devil666 alabama1 ka_djkhjsy6 montana1 remember1 fuku00198 newport1 1234567890q fuckme69 alejandro1 123qwerty
budlight1 asdfasdf1 blondie1 evony192 mexican1 vampire1 darkness1 aaliyah1 kenneth1 12qw23we wrestling1 daniel123
veronica1 cricket1 summer09 dragons1 azerty123 sk84life formula1 dragon12 dumbass1 passer2011 myspace3 agent007
password9 killer12 alexandra1 teacher1 cheyenne1 monkeys1 dolphins1 miranda1 jeffrey1 england1 wangyut2 lucky123
pitbull1 death666 lollipop1 shadow12 123456asd jamaica1 panthers1 idontknow1 blahblah1 special1 123456789j loverboy1
1myspace 123456qwe abcde12345 dodgers1 1princess justice1 iloveyou7 kitty123 sweetpea1 dalejr88 broncos1 bulldogs1
buttercup1 master123 dominic1 password00 babydoll1 lindsey1 loser123 password8 summer07 candy123 aa@123456 abc@1234
abcd@123 abcd@1234 admin@123 pass@123 demo@123 test@123 welcome@123 india@123 qwerty123! qwerty1! password1!
password123! p@ssw0rd1 p@ssword1 passw0rd1 passw0rd! welcome1! letmein123 admin1234 root1234 changeme1 changeme123
default1
`
    .trim()
    .split(/\s+/),
);
