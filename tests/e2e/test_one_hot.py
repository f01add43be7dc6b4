"""Groups of one-hot columns, folded at import."""

import json
import unittest

from harness import EndToEnd


class OneHot(EndToEnd):
    def cars(self, rows=600):
        lines = ["price,color_red,color_green,color_blue,door2,door4,door5,sold"]
        for row in range(rows):
            color, doors = row * row % 7 % 3, row // 3 % 3
            sold = "yes" if color == 0 or doors == 2 else "no"
            cells = [color == 0, color == 1, color == 2, doors == 0, doors == 1, doors == 2]
            lines.append(f"{row * 37 % 101}," + ",".join(str(int(c)) for c in cells) + f",{sold}")
        return self.write("cars.csv", "\n".join(lines) + "\n")

    def test_groups_become_attributes_and_rules_name_them(self):
        self.cars()
        _, err = self.atoll("import", "cars.csv", "-o", "cars.h5", "--one-hot", "auto")
        self.assertIn("3 columns 'color_red', 'color_green', 'color_blue' are one-hot, folded into "
                      "'color'\n", err)
        self.assertIn("3 columns 'door2', 'door4', 'door5' are one-hot, folded into 'door'\n", err)
        self.assertIn("600 rows, 4 attributes (1 numeric, 3 nominal)\n", err)
        info = json.loads(self.atoll("info", "cars.h5", "--json")[0])
        self.assertEqual([(a["name"], a["kind"], a["distinct"]) for a in info["attributes"]],
                         [("price", "numeric", 101), ("color", "nominal", 3), ("door", "nominal", 3),
                          ("sold", "nominal", 2)])
        self.atoll("mine", "cars.h5", "-o", "run", "--target", "sold=*", "--generations", 5)
        rules = {r["rule"]: r["counts"] for r in
                 json.loads((self.folder / "run" / "rules.json").read_text())}
        reds = sum(row * row % 7 % 3 == 0 for row in range(600))
        five_doors = sum(row // 3 % 3 == 2 for row in range(600))
        self.assertEqual(rules["color = red => sold = yes"]["both"], reds)
        self.assertEqual(rules["door = 5 => sold = yes"]["antecedent"], five_doors)

    def test_columns_stay_unless_asked(self):
        self.cars()
        for options in ((), ("--one-hot", "none")):
            _, err = self.atoll("import", "cars.csv", "-o", "cars.h5", "--force", *options)
            self.assertIn("600 rows, 8 attributes (7 numeric, 1 nominal)\n", err)
            self.assertNotIn("one-hot", err)
        self.fails("import", "cars.csv", "-o", "cars.h5", "--one-hot", "yes", status=64, says="--one-hot")


if __name__ == "__main__":
    unittest.main()
