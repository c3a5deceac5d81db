// Common passwords in lower case that pass the other rules and are not in most-used-passwords.ts. Sources: Royce
// Williams's list in Django 5.2 (django/contrib/auth/common-passwords.txt.gz, BSD), and the yearly lists of NordPass.
export const alsoUsed = `
target123 1g2w3e4r zag12wsx gwerty123 passer2009 fqrg7cs493 j38ifubn fuk19600 29rsavoy yuantuo2012 million2 dpbk1234
pe#5gz29ptzmse a838hfid 111222tianya myspace123 qqww1122 n0=acc3ss spongebob1 yagjecc826 iw14fi9j 3odi15ngxb 421uiopy258
myspace2 1v7upjw3nt babyboy1 uqa9ebw445 iloveyou12 sz9kqcctwy d2xyw89sxj 3d8cubaj2e p3rat54797 rockstar1 babygurl1
stephanie1 career121 ig4abox4 qw123321 southside1 getmoney1 hollister1 princess12 w5txn36alfw babygirl12 twilight1
abcdefg123 softball1 2012comeer inuyasha1 n8zgt5p0shw= sample123 icecream1 vrbgqns997 superstar1 christina1 westside1
qti7zxh18u megaparol12345 johncena1 september1 1qaz1qaz g9l2d1fzpy babygirl2 savannah1 hotmail1 diwtgm8492 gangster1
comeon11 myspace12 hollywood1 princess2 ihateyou1 jacket025 maryjane1 summer08 sexybitch1 bullshit1 elephant1 cutiepie1
baseball12 sexygirl1 youbye123 teddybear1 x4ivyga51f skittles1 christine1 qwe12345 iloveyou3 barcelona1 6hbf28w791
charlotte1 1loveyou tnk0mk16vx h1xp2z2duk ilovehim1 yfdbufnjh10305070 lilwayne1 thebest1 aobo2010 ka_djkhjsy6 remember1
fuku00198 alejandro1 budlight1 asdfasdf1 evony192 mexican1 darkness1 aaliyah1 12qw23we wrestling1 veronica1 summer09
passer2011 myspace3 alexandra1 cheyenne1 wangyut2 lollipop1 idontknow1 blahblah1 123456789j loverboy1 1myspace 1princess
iloveyou7 sweetpea1 bulldogs1 buttercup1 babydoll1 aa@123456 abc@1234 abcd@123 abcd@1234 admin@123 pass@123 demo@123
test@123 welcome@123 india@123 qwerty123! qwerty1! password1! password123! p@ssw0rd1 p@ssword1 passw0rd! welcome1!
letmein123 admin1234 root1234 changeme1 changeme123 default1
`;
