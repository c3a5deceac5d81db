-- A shop is never without somebody who may change it.
CREATE TRIGGER shops_keep_an_owner AFTER UPDATE OF role ON colleagues WHEN OLD.role = 'owner' AND NEW.role <> 'owner' BEGIN
  SELECT RAISE(ABORT, 'shop_has_owner')
    WHERE NOT EXISTS (SELECT 1 FROM colleagues WHERE shop_id = NEW.shop_id AND role = 'owner');
END;

CREATE TRIGGER shops_keep_an_owner_when_one_leaves AFTER DELETE ON colleagues WHEN OLD.role = 'owner' BEGIN
  SELECT RAISE(ABORT, 'shop_has_owner')
    WHERE EXISTS (SELECT 1 FROM colleagues WHERE shop_id = OLD.shop_id)
      AND NOT EXISTS (SELECT 1 FROM colleagues WHERE shop_id = OLD.shop_id AND role = 'owner');
END;

-- A shop has one time zone, that of all its people. Whoever belongs to it is a provider.
CREATE TRIGGER colleagues_share_a_clock BEFORE INSERT ON colleagues BEGIN
  SELECT RAISE(ABORT, 'colleague_is_provider')
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND role = 'Provider');
  SELECT RAISE(ABORT, 'shop_has_one_zone')
    WHERE (SELECT time_zone FROM accounts WHERE id = NEW.account_id) <> (SELECT time_zone FROM accounts WHERE id = NEW.shop_id);
END;

-- Whoever works with others keeps the clock of the shop.
CREATE TRIGGER colleagues_keep_their_clock BEFORE UPDATE OF time_zone ON accounts WHEN NEW.time_zone <> OLD.time_zone AND NEW.role = 'Provider' BEGIN
  SELECT RAISE(ABORT, 'shop_has_one_zone') WHERE EXISTS (
    SELECT 1 FROM colleagues AS mine CROSS JOIN colleagues AS other ON other.shop_id = mine.shop_id AND other.account_id <> mine.account_id
    WHERE mine.account_id = NEW.id);
END;
-- The books of each person's shop: its own, and those of all its people. A service of the house asks the questions of one of them.
CREATE VIEW books_of_shops AS
  SELECT account_id, shop_id AS provider_id FROM colleagues
  UNION ALL
  SELECT mine.account_id, theirs.account_id FROM colleagues AS mine CROSS JOIN colleagues AS theirs ON theirs.shop_id = mine.shop_id;

-- What the house sets holds for whoever joins. Their own rules are kept meanwhile.
CREATE TRIGGER colleagues_take_the_rules_of_the_house AFTER INSERT ON colleagues
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.shop_id AND house_rules IS NOT NULL) BEGIN
  UPDATE colleagues SET own_rules = (
      SELECT [[ownRulesUnder(shop.house_rules)]] FROM accounts CROSS JOIN accounts AS shop ON shop.id = NEW.shop_id WHERE accounts.id = NEW.account_id)
    WHERE shop_id = NEW.shop_id AND account_id = NEW.account_id;
  UPDATE accounts SET [[rulesFrom(shop.house_rules)]]
    FROM accounts AS shop WHERE shop.id = NEW.shop_id AND accounts.id = NEW.account_id;
END;

-- Whoever leaves, in whatever way, has their own rules again.
CREATE TRIGGER leavers_have_their_own_rules_again AFTER DELETE ON colleagues WHEN OLD.own_rules <> '{}' BEGIN
  UPDATE accounts SET [[rulesFrom(OLD.own_rules)]] WHERE id = OLD.account_id;
END;
